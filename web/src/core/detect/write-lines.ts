import type { Rect } from '../geometry/rect.ts';
import type { PrintedBox } from './boxes.ts';
import type { Ink } from './ink.ts';
import type { PageRules, Rule } from './page-rules.ts';
import { encloses, type Place } from './place.ts';
import type { TextRun } from './text-runs.ts';

const SHORTEST_TYPED = 7;
const SHORTEST_DRAWN = 20;
const THICKEST = 1.3; // thicker lines separate sections
const LOWEST = 7; // free height above the line
const USUAL = 14; // height of a line of handwriting or 10 pt text
const TALLEST = 19;
const REACH = 45;
const SPREAD = 0.6; // labels below a line divide it if the last one starts after this part of it
const LABEL_GAP = 28;
const EDGE = 0.85;
const DROP = 0.4; // a field ends a little below its line

/** The free space above lines: typed ones always, drawn ones if a label belongs to them. */
export function writeLines(
  rules: PageRules,
  boxes: readonly PrintedBox[],
  runs: readonly TextRun[],
  ink: Ink,
): Place[] {
  const isCaption = captionsOfTyped(rules, runs);
  return rules.across.flatMap((rule) =>
    intervalsOf(rule, rules, ink).flatMap((span) => {
      const evidence = rule.typed
        ? 'typed'
        : isEdge(rule, span, boxes)
          ? undefined
          : labelled(rule, span, rules, runs, isCaption, boxes);
      if (evidence === undefined) return [];
      return splitByCaptions(rule, span, runs).flatMap((part): Place[] => {
        const rect = spaceAbove(rule, part, rules, ink, evidence === 'roof' ? REACH : TALLEST);
        if (rect === undefined || isShaded(rect, boxes)) return [];
        return [{ kind: 'text', rect, onLine: evidence !== 'roof', confidence: rule.typed ? 0.85 : 0.7 }];
      });
    }),
  );
}

/** Labels below typed lines: a drawn line next to them is the border of a table. */
function captionsOfTyped({ across }: PageRules, runs: readonly TextRun[]): ReadonlySet<TextRun> {
  return new Set(across.filter(({ typed }) => typed).flatMap((rule) => captionsOf(rule, rule, runs)));
}

/** The top or bottom of a closed box, which was judged as a box. */
const isEdge = (rule: Rule, span: Span, boxes: readonly PrintedBox[]) =>
  (['top', 'bottom'] as const).some((side) => {
    const covered = boxes
      .filter(({ y, height }) => Math.abs((side === 'top' ? y : y + height) - rule.at) < 2)
      .map(({ x, width }) => Math.min(x + width, span.to) - Math.max(x, span.from))
      .filter((length) => length > 0);
    return (
      Math.max(0, ...covered) > EDGE * (span.to - span.from) || sumOf(covered) > EDGE * (span.to - span.from)
    );
  });

const sumOf = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length, 0);

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The parts of a line without text on them, between vertical lines. */
function intervalsOf(rule: Rule, { down }: PageRules, ink: Ink): Span[] {
  if (!rule.typed && rule.thickness > THICKEST) return [];
  const shortest = rule.typed ? SHORTEST_TYPED : SHORTEST_DRAWN;
  if (rule.to - rule.from < shortest) return [];
  const strip = { x: rule.from, y: rule.at - LOWEST, width: rule.to - rule.from, height: LOWEST - 1 };
  const printed = ink.within(strip, 1);
  const covered = printed.reduce((sum, { width }) => sum + width, 0);
  if (!rule.typed && covered > 0.6 * (rule.to - rule.from)) return [];
  const walls = down
    .filter(
      ({ at, from, to }) =>
        at > rule.from + 1 && at < rule.to - 1 && from <= rule.at - LOWEST && to >= rule.at - 2,
    )
    .map(({ at }): Span => ({ from: at, to: at }));
  const stops = [...walls, ...printed.map(({ x, width }): Span => ({ from: x, to: x + width + 1 }))].sort(
    (a, b) => a.from - b.from,
  );
  const spans: Span[] = [];
  let from = rule.from;
  for (const stop of stops) {
    if (stop.from - from >= shortest) spans.push({ from, to: stop.from });
    from = Math.max(from, stop.to);
  }
  if (rule.to - from >= shortest) spans.push({ from, to: rule.to });
  return spans;
}

/**
 * A drawn line is a line to write on if a label ends at its start, stands below it, or stands above it under another line
 * (the roof of an open cell).
 */
function labelled(
  rule: Rule,
  span: Span,
  { across }: PageRules,
  runs: readonly TextRun[],
  isCaption: ReadonlySet<TextRun>,
  boxes: readonly PrintedBox[],
): 'label' | 'roof' | undefined {
  const roof = across.find(
    ({ at, from, to, typed }) =>
      !typed && rule.at - at >= 8 && rule.at - at <= REACH && from <= span.from + 6 && to >= span.to - 6,
  );
  const left = runs.find(
    (run) =>
      Math.abs(run.baseline - rule.at) < 6 &&
      run.x + run.width <= span.from + 4 &&
      run.x + run.width >= span.from - LABEL_GAP &&
      !isCaption.has(run),
  );
  const isOnLine = left !== undefined && rule.from < left.x + left.width / 2;
  if (left !== undefined && (!isOnLine || /[:▶►]$/u.test(left.text))) return 'label';
  const isUnderLabel =
    roof !== undefined &&
    runs.some(
      ({ x, baseline, width }) =>
        baseline < rule.at - LOWEST && baseline > roof.at && x >= span.from - 3 && x + width <= span.to + 3,
    );
  if (isUnderLabel) return 'roof';
  // Text in a box below the line is the heading of that box.
  const captions = captionsOf(rule, span, runs).filter(
    (run) => !boxes.some((box) => Math.abs(box.y - rule.at) < 3 && encloses(box, run)),
  );
  return captions.length > 0 ? 'label' : undefined;
}

/** Labels directly below a line. */
function captionsOf(rule: Rule, span: Span, runs: readonly TextRun[]): TextRun[] {
  return runs
    .filter(
      ({ x, width, baseline, size }) =>
        size <= 9.5 &&
        baseline > rule.at + 2 &&
        baseline - 0.75 * size < rule.at + 4.5 &&
        x >= span.from - 4 &&
        x + width <= span.to + 8,
    )
    .sort((a, b) => a.x - b.x);
}

/** A line over several labels, such as City, State and ZIP code, has one field per label. */
function splitByCaptions(rule: Rule, span: Span, runs: readonly TextRun[]): Span[] {
  const captions = captionsOf(rule, span, runs);
  if (captions.length < 2) return [span];
  const starts = captions.map(({ x }, index) => (index === 0 ? span.from : x - 1));
  const last = captions.at(-1)?.x ?? span.from;
  if (last < span.from + SPREAD * (span.to - span.from)) return [span];
  const parts = starts.map((from, index) => ({ from, to: (starts[index + 1] ?? span.to + 2) - 2 }));
  return parts.every(({ from, to }) => to - from >= SHORTEST_DRAWN) ? parts : [span];
}

function spaceAbove(
  rule: Rule,
  { from, to }: Span,
  { across }: PageRules,
  ink: Ink,
  tallest: number,
): Rect | undefined {
  const column = { x: from, y: rule.at - REACH, width: to - from, height: REACH - 1 };
  const floors = ink
    .within(column, 1.5)
    .filter(({ y }) => y < rule.at - 3)
    .map(({ y, height }) => y + height);
  const lines = across
    .filter(
      (other) =>
        other.at < rule.at - 3 &&
        other.at > rule.at - REACH &&
        Math.min(other.to, to) - Math.max(other.from, from) > 0.15 * (to - from),
    )
    .map(({ at }) => at + 0.5);
  const free = rule.at - Math.max(rule.at - REACH, ...floors, ...lines);
  if (free < LOWEST) return undefined;
  const height = free <= tallest ? free : USUAL;
  return { x: from, y: rule.at - height + DROP, width: to - from, height };
}

/** Headings stand on grey or black. */
const isShaded = ({ x, y, width, height }: Rect, boxes: readonly PrintedBox[]) =>
  boxes.some(
    (box) =>
      box.lightness < 0.9 &&
      x + width / 2 > box.x &&
      x + width / 2 < box.x + box.width &&
      y + height / 2 > box.y &&
      y + height / 2 < box.y + box.height,
  );
