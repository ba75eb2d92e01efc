import type { Rect } from '../geometry/rect.ts';
import { cleaned, linesUpTo } from './labels.ts';
import type { Place } from './place.ts';
import type { TextRun } from './text-runs.ts';

/** A box to tick with its label. */
export interface LabelledCheck {
  readonly place: Place;
  readonly label: string;
}

export interface ChoiceGroup {
  readonly name: string;
  readonly checks: readonly LabelledCheck[];
}

const ROW_GAP = 170; // between two boxes of one row
const LINE_GAP = 26; // between two boxes of one column
const SAME = 4;
const FAR_QUESTION = 120; // between a question and the boxes behind it
/** Answers that exclude each other, in the languages of common forms. */
const EXCLUSIVE: readonly (readonly string[])[] = [
  ['yes', 'no'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['sí', 'no'],
  ['si', 'no'],
  ['sì', 'no'],
  ['ja', 'nee'],
  ['tak', 'nie'],
  ['sim', 'não'],
  ['male', 'female'],
  ['m', 'f'],
  ['männlich', 'weiblich'],
  ['mr', 'mrs'],
  ['mr', 'ms'],
  ['herr', 'frau'],
  ['single', 'married'],
];
const ONE_ONLY =
  /\b(?:check|select|choose|mark|tick)\s+(?:only\s+)?one\b|\bonly\s+one\b|\bone\s+only\b|\bnur\s+eine?s?\b|\bune?\s+seule?\b/iu;
const SEVERAL = /\ball\s+(?:that|which|applicable)\b|\bmehrfach/iu;

/**
 * Finds boxes of which only one applies: round ones, answers that exclude each other (Yes and No), and rows or columns below
 * a text that asks for one. All other boxes stay independent.
 */
export function choiceGroups(checks: readonly LabelledCheck[], runs: readonly TextRun[]): ChoiceGroup[] {
  const groups: ChoiceGroup[] = [];
  for (const cluster of clustersOf(checks, runs)) {
    const question = questionOf(cluster, runs);
    const isOneOnly =
      cluster.every(({ place }) => place.round === true) ||
      (ONE_ONLY.test(question) && !SEVERAL.test(question));
    for (const group of isOneOnly ? [cluster] : exclusivePairs(cluster)) {
      const labels = new Set(group.map(({ label }) => label.toLowerCase()));
      if (labels.size < group.length || labels.has('')) continue;
      groups.push({ name: cleaned(questionOf(group, runs)), checks: group });
    }
  }
  return groups;
}

/** Boxes that stand beside or below each other without a new question between them, in reading order. */
function clustersOf(checks: readonly LabelledCheck[], runs: readonly TextRun[]): LabelledCheck[][] {
  const sorted = [...checks].sort((a, b) => topOf(a) - topOf(b) || leftOf(a) - leftOf(b));
  const clusters: LabelledCheck[][] = [];
  const taken = new Set<LabelledCheck>();
  for (const first of sorted) {
    if (taken.has(first)) continue;
    const cluster = [first];
    taken.add(first);
    for (let at = 0; at < cluster.length; at += 1) {
      const from = cluster[at] as LabelledCheck;
      for (const check of sorted)
        if (!taken.has(check) && isNeighbour(from, check, runs)) {
          taken.add(check);
          cluster.push(check);
        }
    }
    if (cluster.length >= 2) clusters.push(cluster.sort(byReading));
  }
  return clusters;
}

const leftOf = ({ place: { rect } }: LabelledCheck) => rect.x + rect.width / 2;
const topOf = ({ place: { rect } }: LabelledCheck) => rect.y + rect.height / 2;
const byReading = (a: LabelledCheck, b: LabelledCheck) =>
  Math.abs(topOf(a) - topOf(b)) <= SAME ? leftOf(a) - leftOf(b) : topOf(a) - topOf(b);

function isNeighbour(a: LabelledCheck, b: LabelledCheck, runs: readonly TextRun[]): boolean {
  const [dx, dy] = [Math.abs(leftOf(a) - leftOf(b)), Math.abs(topOf(a) - topOf(b))];
  if (dy <= SAME) return dx <= ROW_GAP && !hasTextBetween(a, b, runs);
  if (dx > SAME || dy > LINE_GAP) return false;
  const [from, to] = [Math.min(topOf(a), topOf(b)), Math.max(topOf(a), topOf(b))];
  const edge = Math.min(a.place.rect.x, b.place.rect.x);
  // A question starts at or before the boxes; the second line of a label starts after them.
  return !runs.some(
    ({ x, width, baseline, size }) =>
      x < edge + 4 && x + width > edge && baseline - size / 3 > from + 2 && baseline - size / 3 < to - 2,
  );
}

/** Whether another text than the label of the first box stands between two boxes of a row. */
function hasTextBetween(a: LabelledCheck, b: LabelledCheck, runs: readonly TextRun[]): boolean {
  const [first, second] = leftOf(a) < leftOf(b) ? [a, b] : [b, a];
  return runs.some(
    (run) =>
      run.x > first.place.rect.x &&
      run.x + run.width <= second.place.rect.x + 2 &&
      isLevelWith(run, first.place.rect) &&
      cleaned(run.text) !== first.label &&
      cleaned(run.text) !== second.label,
  );
}

/** Neighbours whose answers exclude each other, in a row or in a column. */
function exclusivePairs(cluster: readonly LabelledCheck[]): LabelledCheck[][] {
  const pairs: LabelledCheck[][] = [];
  const taken = new Set<LabelledCheck>();
  for (const first of cluster) {
    if (taken.has(first)) continue;
    const second = cluster.find(
      (check) =>
        check !== first &&
        !taken.has(check) &&
        byReading(first, check) < 0 &&
        (Math.abs(topOf(check) - topOf(first)) <= SAME || Math.abs(leftOf(check) - leftOf(first)) <= SAME) &&
        EXCLUSIVE.some((answers) =>
          answers.every((answer) => [first, check].some(({ label }) => firstWord(label) === answer)),
        ),
    );
    if (second === undefined) continue;
    taken.add(first);
    taken.add(second);
    // The answer is the value: `Yes (go to item 5)` is ticked by `Yes`.
    pairs.push(
      [first, second].map((check) => ({
        ...check,
        label: /^[\p{L}]+/u.exec(check.label)?.[0] ?? check.label,
      })),
    );
  }
  return pairs;
}

const firstWord = (label: string) => /^[\p{L}]+/u.exec(label.toLowerCase())?.[0] ?? '';

/** The text before the first box of a row, or the lines above it. */
function questionOf(group: readonly LabelledCheck[], runs: readonly TextRun[]): string {
  const rect = group[0]?.place.rect;
  if (rect === undefined) return '';
  const labels = new Set(group.map(({ label }) => label));
  const isFree = (run: TextRun) => !labels.has(cleaned(run.text));
  const [before] = runs
    .filter((run) => isFree(run) && isLevelWith(run, rect) && /\p{L}{2}/u.test(run.text))
    .filter(({ x, width }) => x + width <= rect.x + 1 && rect.x - x - width < FAR_QUESTION)
    .sort((a, b) => b.x - a.x);
  const above = runs
    .filter((run) => isFree(run) && /\p{L}{2}/u.test(run.text))
    .filter(({ baseline }) => baseline < rect.y + 3 && rect.y - baseline < 30)
    .filter((run) => run.x < rect.x + 60 && run.x + run.width > rect.x - 60)
    .sort((a, b) => b.baseline - a.baseline || a.x - b.x);
  if (before !== undefined && (asks(before) || above[0] === undefined || !asks(above[0])))
    return linesUpTo(before, runs);
  const line = above[0];
  if (line === undefined) return '';
  const sameLine = above.filter(({ baseline }) => line.baseline - baseline < 1);
  const [first = line, ...rest] = sameLine;
  return [linesUpTo(first, runs), ...rest.map(({ text }) => text)].join(' ');
}

const asks = ({ text }: TextRun) => /[?:]\s*$/u.test(text) || ONE_ONLY.test(text) || SEVERAL.test(text);

const isLevelWith = ({ baseline, size }: TextRun, { y, height }: Rect) =>
  baseline - 0.35 * size > y - 1 && baseline - 0.35 * size < y + height + 1;
