import { type Rect, unionOf } from '../geometry/rect.ts';
import type { PrintedBox } from './boxes.ts';
import type { Ink } from './ink.ts';
import type { PageRules, Rule } from './page-rules.ts';
import type { Place } from './place.ts';

const NARROWEST = 5;
const WIDEST = 32;
const LOWEST = 7;
const HIGHEST = 36;
const FAR = 2.5; // gap between neighbours
const LONGEST_DASH = 18;
const LEAST_DASHES = 3;
const DASH_HEIGHT = 13;
const EQUAL = 0.22; // of the width

/** Rows of equal cells that touch, and boxes that short ticks divide into equal cells. */
export function combs(boxes: readonly PrintedBox[], rules: PageRules, ink: Ink): Place[] {
  return [...rowsOfCells(boxes, ink), ...tickedBoxes(boxes, rules, ink), ...rowsOfDashes(rules)];
}

function rowsOfCells(boxes: readonly PrintedBox[], ink: Ink): Place[] {
  const cells = boxes
    .filter(
      ({ width, height, lightness }) =>
        width >= NARROWEST &&
        width <= WIDEST &&
        height >= LOWEST &&
        height <= HIGHEST &&
        width <= 1.8 * height &&
        lightness > 0.85,
    )
    .sort((a, b) => a.y - b.y || a.x - b.x);
  const taken = new Set<PrintedBox>();
  const found: Place[] = [];
  for (const first of [...cells].sort((a, b) => a.x - b.x || a.y - b.y)) {
    if (taken.has(first)) continue;
    const chain = [first];
    for (;;) {
      const last = chain.at(-1) as PrintedBox;
      const next = cells.find((cell) => !taken.has(cell) && isNext(last, cell));
      if (next === undefined) break;
      chain.push(next);
    }
    if (chain.length < 2 || chain.some((cell) => ink.within(shrunk(cell)).length > 0)) continue;
    if (hasLabelPerCell(chain, ink)) continue;
    for (const cell of chain) taken.add(cell);
    const rect = unionOf(chain);
    if (rect !== null)
      found.push({ kind: 'comb', rect, cells: chain.length, onLine: false, confidence: 0.9 });
  }
  return found;
}

const isNext = (a: Rect, b: Rect) =>
  Math.abs(b.x - a.x - a.width) <= FAR &&
  Math.abs(a.y - b.y) <= 1.5 &&
  Math.abs(a.height - b.height) <= 1.5 &&
  Math.abs(a.width - b.width) <= Math.max(1.5, EQUAL * a.width) &&
  b.x > a.x;

/** Few boxes with a word over each, such as M F X, are boxes to tick. */
function hasLabelPerCell(chain: readonly Rect[], ink: Ink): boolean {
  if (chain.length > 4) return false;
  return chain.every(({ x, y, width }) => {
    const above = ink.within({ x: x - 2, y: y - 11, width: width + 4, height: 10 });
    return above.length === 1 && above.every((label) => label.width <= width + 6);
  });
}

function tickedBoxes(boxes: readonly PrintedBox[], { down }: PageRules, ink: Ink): Place[] {
  return boxes.flatMap((box): Place[] => {
    const { x, y, width, height } = box;
    if (height < LOWEST || height > HIGHEST || box.lightness <= 0.85) return [];
    const ticks = down.filter(
      ({ at, from, to }) =>
        at > x + 2 &&
        at < x + width - 2 &&
        from >= y - 2 &&
        to <= y + height + 2 &&
        to - from >= 0.15 * height &&
        to >= y + height - 3,
    );
    const cells = ticks.length + 1;
    const step = width / cells;
    if (cells < 2 || step < NARROWEST || step > WIDEST) return [];
    const isEven = ticks.every(({ at }, index) => Math.abs(at - x - (index + 1) * step) <= EQUAL * step);
    if (!isEven || ink.within(shrunk(box)).length > 0) return [];
    return [{ kind: 'comb', rect: { x, y, width, height }, cells, onLine: false, confidence: 0.9 }];
  });
}

/** Short typed lines in a row, one per character: `__ __ __ __`. */
function rowsOfDashes({ across }: PageRules): Place[] {
  const dashes = across.filter(({ typed, from, to }) => typed && to - from <= LONGEST_DASH);
  const taken = new Set<Rule>();
  return dashes.flatMap((first): Place[] => {
    if (taken.has(first)) return [];
    const chain = [first];
    for (;;) {
      const last = chain.at(-1) as Rule;
      const next = dashes.find((dash) => !taken.has(dash) && isNextDash(last, dash));
      if (next === undefined) break;
      chain.push(next);
    }
    if (chain.length < LEAST_DASHES) return [];
    for (const dash of chain) taken.add(dash);
    const [last, second] = [chain.at(-1) as Rule, chain[1] as Rule];
    const margin = (second.from - first.to) / 2;
    const rect = {
      x: first.from - margin,
      y: first.at - DASH_HEIGHT,
      width: last.to - first.from + 2 * margin,
      height: DASH_HEIGHT + 0.4,
    };
    return [{ kind: 'comb', rect, cells: chain.length, onLine: true, confidence: 0.85 }];
  });
}

const isNextDash = (a: Rule, b: Rule) =>
  Math.abs(a.at - b.at) < 1 &&
  b.from - a.to > 0.5 &&
  b.from - a.to <= 8 &&
  Math.abs(b.to - b.from - (a.to - a.from)) <= 2;

const shrunk = ({ x, y, width, height }: Rect): Rect => ({
  x: x + 1,
  y: y + 1,
  width: width - 2,
  height: height - 2,
});
