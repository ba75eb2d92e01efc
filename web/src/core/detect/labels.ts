import type { Rect } from '../geometry/rect.ts';
import type { Place } from './place.ts';
import type { TextRun } from './text-runs.ts';

const FAR_LEFT = 160;
const FAR_ABOVE = 22;
const FAR_HEAD = 110;
const LONGEST_HEAD = 32;
const FAR_BELOW = 9;
const FAR_RIGHT = 24;
const LONGEST = 80;

/** The label of each place: the nearest text beside, above or below it that no other place is nearer to. */
export function labelsOf(places: readonly Place[], allRuns: readonly TextRun[]): string[] {
  const runs = allRuns.filter(({ text }) => /[\p{L}\p{N}#%]/u.test(text));
  const rects = places.map(({ rect }) => rect);
  const owned = captionsOf(places, runs);
  return places.map((place) => {
    const others = rects.filter((rect) => rect !== place.rect);
    if (place.kind === 'check') {
      const label = besideCheck(place, runs, others);
      return label === undefined ? '' : cleaned(label.text);
    }
    const free = runs.filter((run) => (owned.get(run) ?? place) === place);
    const found = besideField(place, free, others) ?? columnHead(place, free);
    return found === undefined ? '' : cleaned(wholeLabel(found, free, place));
  });
}

/** Texts directly below a line, by the place that they name. */
function captionsOf(places: readonly Place[], runs: readonly TextRun[]): ReadonlyMap<TextRun, Place> {
  const owners = new Map<TextRun, Place>();
  for (const place of places)
    if (place.onLine)
      for (const run of runs)
        if (isBelow(run, place.rect) && run.y - place.rect.y - place.rect.height < 4) owners.set(run, place);
  return owners;
}

/** The heading of a table's column, further up. */
function columnHead({ rect }: Place, runs: readonly TextRun[]): TextRun | undefined {
  return nearest(
    runs.filter((run) => isAbove(run, rect, FAR_HEAD) && run.text.length <= LONGEST_HEAD),
    ({ baseline }) => rect.y - baseline,
  );
}

/** After the box; a word directly before or above it only if nothing follows. */
function besideCheck(
  { rect }: Place,
  runs: readonly TextRun[],
  others: readonly Rect[],
): TextRun | undefined {
  const right = rect.x + rect.width;
  const sameRow = runs.filter((run) => isBeside(run, rect));
  const after = nearest(
    sameRow.filter(({ x }) => x >= right - 3 && x - right <= FAR_RIGHT),
    ({ x }) => x - right,
  );
  if (after !== undefined && !isBetween(others, right, after.x, rect)) return after;
  const before = nearest(
    sameRow.filter(({ x, width }) => x + width <= rect.x + 2 && rect.x - x - width <= FAR_RIGHT),
    ({ x, width }) => rect.x - x - width,
  );
  return (
    before ??
    nearest(
      runs.filter((run) => isAbove(run, rect)),
      (run) => rect.y - run.baseline,
    )
  );
}

function besideField(
  { rect, onLine }: Place,
  runs: readonly TextRun[],
  others: readonly Rect[],
): TextRun | undefined {
  const bottom = rect.y + rect.height;
  const candidates: { readonly run: TextRun; readonly distance: number }[] = [];
  for (const run of runs) {
    const end = run.x + run.width;
    if (isBeside(run, rect) && end <= rect.x + 4 && rect.x - end <= FAR_LEFT) {
      if (!isBetween(others, end, rect.x, rect))
        candidates.push({ run, distance: Math.max(0, rect.x - end) });
    } else if (isInside(run, rect) || isAbove(run, rect)) {
      // On a line, the gap to the line counts: the caption of the line above is nearer to the top of this field.
      const gap = onLine ? bottom - run.baseline : Math.max(0, rect.y - run.baseline);
      candidates.push({ run, distance: 1.2 * gap + 0.1 * Math.abs(run.x - rect.x) + 2 });
    } else if (onLine && isBelow(run, rect)) {
      candidates.push({ run, distance: Math.max(0, run.y - bottom) + 0.1 * Math.abs(run.x - rect.x) });
    }
  }
  return nearest(candidates, ({ distance }) => distance)?.run;
}

const isBeside = ({ baseline, size }: TextRun, { y, height }: Rect) =>
  baseline - 0.35 * size > y - 2 && baseline - 0.35 * size < y + height + 2;

const isAbove = ({ x, width, baseline }: TextRun, rect: Rect, far = FAR_ABOVE) =>
  baseline <= rect.y + 3 &&
  rect.y - baseline <= far &&
  Math.min(x + width, rect.x + rect.width) - Math.max(x, rect.x) > Math.min(2, rect.width / 4);

const isInside = ({ x, width, baseline }: TextRun, rect: Rect) =>
  baseline > rect.y &&
  baseline < rect.y + rect.height &&
  x >= rect.x - 1 &&
  x + width <= rect.x + rect.width + 1;

const isBelow = ({ x, width, y }: TextRun, rect: Rect) =>
  y >= rect.y + rect.height - 3 &&
  y - rect.y - rect.height <= FAR_BELOW &&
  Math.min(x + width, rect.x + rect.width) - Math.max(x, rect.x) > 2;

/** Whether another place of the same row stands between two positions. */
const isBetween = (others: readonly Rect[], from: number, to: number, { y, height }: Rect) =>
  others.some(
    (other) =>
      other.x + other.width / 2 > from &&
      other.x + other.width / 2 < to &&
      other.y < y + height - 2 &&
      other.y + other.height > y + 2,
  );

function nearest<Item>(items: readonly Item[], distanceOf: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const distance = distanceOf(item);
    if (distance < least) [best, least] = [item, distance];
  }
  return best;
}

/** A label with its other lines: those beside the field, or the lines that lead to the last one above it. */
function wholeLabel(found: TextRun, runs: readonly TextRun[], { rect }: Place): string {
  if (!isBeside(found, rect)) return linesUpTo(found, runs);
  const others = runs.filter(
    (run) =>
      run !== found &&
      Math.abs(run.x - found.x) < 3 &&
      Math.abs(run.baseline - found.baseline) < 1.5 * found.size &&
      isBeside(run, rect),
  );
  return [found, ...others]
    .sort((a, b) => a.baseline - b.baseline)
    .map(({ text }) => text)
    .join(' ');
}

const MOST_LINES = 3;

/** A text with the lines before it, if it continues them: same start, close together, and longer than the rest. */
export function linesUpTo(last: TextRun, runs: readonly TextRun[]): string {
  const lines = [last];
  while (lines.length < MOST_LINES) {
    const next = lines[0] as TextRun;
    const before = runs.find(
      (run) =>
        Math.abs(run.x - next.x) < 3 &&
        next.baseline - run.baseline > 0.8 * next.size &&
        next.baseline - run.baseline < 1.45 * next.size &&
        run.width > 0.8 * next.width &&
        !/[.:?!]$/u.test(run.text),
    );
    if (before === undefined) break;
    lines.unshift(before);
  }
  return lines.map(({ text }) => text).join(' ');
}

/** Without numbering in front (`3.a.`), and without signs that only lead to the field. */
export function cleaned(text: string): string {
  const bare = text
    .replaceAll(/[_\u2026\u25b6\u25ba]+|\.{3,}|(?:\s\.){2,}/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replace(/^(?:\(?(?:\d+[a-z]?|[a-zA-Z])[.)]\s*)+(?:[a-z]\d*\.\s+)?/u, '')
    .replace(/^\d+[a-z]?\s+(?=\p{Lu})/u, '')
    .replace(/[\s:;.,*$(]+$/u, '')
    .trim();
  return bare.length > LONGEST ? `${bare.slice(0, LONGEST - 1).trimEnd()}…` : bare;
}
