import { intersects, overlapOf, type Rect } from '../geometry/rect.ts';
import type { MarkShape, PageMarks } from '../page-content/read-marks.ts';
import type { PageRules, Rule } from './page-rules.ts';

/** A closed rectangle of the page and how light its inside is. */
export interface PrintedBox extends Rect {
  readonly lightness: number;
  /** Has a visible outline. */
  readonly outlined: boolean;
  /** Drawn as one shape, not by lines that cross. */
  readonly drawn: boolean;
}

const TOUCH = 2; // points by which a line may miss the line it meets
const LEAST = 4;
const SEEN = 0.03; // difference in lightness that makes a filled shape visible
const SAME = 1.5;

/** All closed rectangles: drawn ones, and cells between lines that cross. */
export function printedBoxes(marks: PageMarks, rules: PageRules): PrintedBox[] {
  const found: PrintedBox[] = [];
  const add = (box: PrintedBox) => {
    if (!found.some((known) => isSame(known, box))) found.push(box);
  };
  const ground = groundOf(marks.shapes);
  for (const [index, shape] of marks.shapes.entries()) {
    if (!shape.rectangular || shape.width < LEAST || shape.height < LEAST) continue;
    const inside = shape.filled ? shape.lightness : ground(shape, index);
    const isVisible =
      shape.stroked || (shape.filled && Math.abs(shape.lightness - ground(shape, index)) > SEEN);
    if (isVisible) add({ ...rectOf(shape), lightness: inside, outlined: shape.stroked, drawn: true });
  }
  for (const cell of cellsOf(rules))
    add({ ...cell, lightness: ground(cell, marks.shapes.length), outlined: true, drawn: false });
  return found;
}

const rectOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

const isSame = (a: Rect, b: Rect) =>
  Math.abs(a.x - b.x) <= SAME &&
  Math.abs(a.y - b.y) <= SAME &&
  Math.abs(a.x + a.width - b.x - b.width) <= SAME &&
  Math.abs(a.y + a.height - b.y - b.height) <= SAME;

/** Returns the lightness below a rectangle: that of the last filled shape before `index` that covers it, else paper. */
function groundOf(shapes: readonly MarkShape[]): (rect: Rect, index: number) => number {
  const fills = shapes.flatMap((shape, at) => (shape.filled && shape.rectangular ? [{ shape, at }] : []));
  return (rect, index) => {
    const centre = { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2, width: 0, height: 0 };
    for (let last = fills.length - 1; last >= 0; last -= 1) {
      const fill = fills[last];
      if (fill === undefined || fill.at >= index) continue;
      const { x, y } = overlapOf(fill.shape, rect);
      if (intersects(fill.shape, centre) && x >= 0.8 * rect.width && y >= 0.8 * rect.height)
        return fill.shape.lightness;
    }
    return 1;
  };
}

/** The smallest rectangles whose four sides lie on lines. */
function cellsOf({ across, down }: PageRules): Rect[] {
  const tops = across.filter(({ typed, from, to }) => !typed && to - from >= LEAST);
  const sides = down.filter(({ from, to }) => to - from >= LEAST);
  const cells: Rect[] = [];
  for (const top of tops) {
    const starts = sides.filter(
      ({ at, from, to }) =>
        at >= top.from - TOUCH && at <= top.to + TOUCH && from <= top.at + TOUCH && to >= top.at + LEAST,
    );
    for (const [index, left] of starts.entries()) {
      const cell = firstCell(top, left, starts.slice(index + 1), tops);
      if (cell !== undefined) cells.push(cell);
    }
  }
  return cells;
}

function firstCell(top: Rule, left: Rule, rights: readonly Rule[], tops: readonly Rule[]): Rect | undefined {
  for (const right of rights) {
    if (right.at - left.at < LEAST) continue;
    const most = Math.min(left.to, right.to) + TOUCH;
    const bottom = tops.find(
      ({ at, from, to }) =>
        at >= top.at + LEAST && at <= most && from <= left.at + TOUCH && to >= right.at - TOUCH,
    );
    if (bottom !== undefined)
      return { x: left.at, y: top.at, width: right.at - left.at, height: bottom.at - top.at };
    if (right.to >= left.to - TOUCH) return undefined;
  }
  return undefined;
}
