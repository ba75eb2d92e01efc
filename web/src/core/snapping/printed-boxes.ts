import { contains, type Rect } from '../geometry/rect.ts';
import type { MarkLine, MarkShape, PageMarks } from '../page-content/read-marks.ts';

/** Lines that end this close to each other meet: drawing programs leave small gaps at corners. */
const MEETS = 1.5;
/** A smaller box is the inside of a letter or of a double line. */
const LEAST = 4;
/** A box over more than this part of the page is its border or a table, not a place to write. */
const MOST_OF_PAGE = 0.5;
/** Only this many lines on each side can bound the smallest box, so a page of thousands of lines stays fast. */
const NEAREST = 8;
/** A stroke without a known width is assumed to be this thick. */
const THIN = 1;
const BOX_GLYPHS = /^[☐□❏❐❑❒▢◻◽○◯]$/u;

/**
 * The free space inside the smallest printed box around a point: a rectangle, four lines that meet, a table cell, a light
 * area, a small circle, or a character that shows a box. Null if there is none.
 */
export function printedBoxAt(page: PageMarks, point: { x: number; y: number }): Rect | null {
  const lines = lineBoxAt(page, point);
  const found = [lines, ...shapeBoxesAt(page, point, lines), ...glyphBoxesAt(page, point)];
  let best: Rect | null = null;
  for (const box of found) {
    if (box === null || box.width < LEAST || box.height < LEAST || !contains(box, point)) continue;
    if (box.width * box.height > page.width * page.height * MOST_OF_PAGE) continue;
    if (best === null || box.width * box.height < best.width * best.height) best = box;
  }
  return best;
}

/** Finds the box of a press that may miss it by `slack` points. */
export function printedBoxNear(
  page: PageMarks,
  { x, y }: { x: number; y: number },
  slack: number,
  accept: (box: Rect) => boolean,
): Rect | null {
  const steps = [0, -slack, slack];
  for (const dy of steps)
    for (const dx of steps) {
      const box = printedBoxAt(page, { x: x + dx, y: y + dy });
      if (box !== null && accept(box)) return box;
    }
  return null;
}

const TICK_MOST = 24;

/** Whether the box is meant for a mark: small, and about as high as wide. */
export function isTickBox({ width, height }: Rect): boolean {
  return Math.max(width, height) <= TICK_MOST && width / height < 2 && height / width < 2;
}

function lineBoxAt(page: PageMarks, { x, y }: { x: number; y: number }): Rect | null {
  const { h, v } = joinedLines(page);
  const level = h.filter(({ from, to }) => from - MEETS <= x && x <= to + MEETS);
  const upright = v.filter(({ from, to }) => from - MEETS <= y && y <= to + MEETS);
  const before = (lines: readonly MarkLine[], place: number) =>
    lines
      .filter(({ at }) => at <= place)
      .sort((a, b) => b.at - a.at)
      .slice(0, NEAREST);
  const after = (lines: readonly MarkLine[], place: number) =>
    lines
      .filter(({ at }) => at > place)
      .sort((a, b) => a.at - b.at)
      .slice(0, NEAREST);
  const [lefts, rights] = [before(upright, x), after(upright, x)];
  let best: Rect | null = null;
  for (const top of before(level, y))
    for (const bottom of after(level, y)) {
      const spans = (line: MarkLine) => reaches(line, top.at, bottom.at);
      const [left, right] = [lefts.find(spans), rights.find(spans)];
      if (left === undefined || right === undefined) continue;
      if (!reaches(top, left.at, right.at) || !reaches(bottom, left.at, right.at)) continue;
      const box = insideOf(left, top, right, bottom);
      if (best === null || box.width * box.height < best.width * best.height) best = box;
    }
  return best;
}

const reaches = ({ from, to, thickness }: MarkLine, start: number, end: number) =>
  from <= start + MEETS + thickness && to >= end - MEETS - thickness;

function insideOf(left: MarkLine, top: MarkLine, right: MarkLine, bottom: MarkLine): Rect {
  const x = left.at + left.thickness / 2;
  const y = top.at + top.thickness / 2;
  return { x, y, width: right.at - right.thickness / 2 - x, height: bottom.at - bottom.thickness / 2 - y };
}

const joined = new WeakMap<PageMarks, { h: readonly MarkLine[]; v: readonly MarkLine[] }>();

/** Joins the pieces of one line: a table's border is often drawn cell by cell. */
function joinedLines(page: PageMarks): { h: readonly MarkLine[]; v: readonly MarkLine[] } {
  const known = joined.get(page);
  if (known !== undefined) return known;
  const join = (axis: 'h' | 'v'): MarkLine[] => {
    const result: MarkLine[] = [];
    const pieces = page.lines.filter((line) => line.axis === axis);
    for (const piece of pieces.toSorted(
      (a, b) => Math.round(a.at * 2) - Math.round(b.at * 2) || a.from - b.from,
    )) {
      const last = result.at(-1);
      const continues =
        last !== undefined && Math.abs(last.at - piece.at) <= 0.5 && piece.from <= last.to + MEETS;
      if (!continues) result.push(piece);
      else
        result[result.length - 1] = {
          ...last,
          to: Math.max(last.to, piece.to),
          thickness: Math.max(last.thickness, piece.thickness),
        };
    }
    return result;
  };
  const made = { h: join('h'), v: join('v') };
  joined.set(page, made);
  return made;
}

const LIGHT = 0.6;
const WHITE = 0.97;

function shapeBoxesAt({ shapes }: PageMarks, point: { x: number; y: number }, lines: Rect | null): Rect[] {
  return shapes.flatMap((shape) => {
    if (!contains(shape, point)) return [];
    const { x, y, width, height } = shape;
    const isOutline = shape.stroked && (shape.rectangular || isTickBox(shape));
    // The lines of the same outline give its inside exactly.
    if (isOutline && (lines === null || !isAlongside(shape, lines)))
      return [{ x: x + THIN / 2, y: y + THIN / 2, width: width - THIN, height: height - THIN }];
    // A white area shows only on a tinted one; a dark area is not a place to write.
    const isTinted = shape.lightness >= LIGHT && shape.lightness < WHITE;
    const isCutOut = shape.lightness >= WHITE && shapes.some((other) => isTintAround(other, shape));
    const isArea = shape.filled && shape.rectangular && (isTinted || isCutOut);
    return isArea && !(shape.stroked && lines !== null && isAlongside(shape, lines))
      ? [{ x, y, width, height }]
      : [];
  });
}

const isAlongside = (a: Rect, b: Rect) =>
  Math.abs(a.x - b.x) <= 3 &&
  Math.abs(a.y - b.y) <= 3 &&
  Math.abs(a.width - b.width) <= 6 &&
  Math.abs(a.height - b.height) <= 6;

const isTintAround = (other: MarkShape, { x, y, width, height }: Rect) =>
  other.filled &&
  other.lightness < WHITE &&
  contains(other, { x, y }) &&
  contains(other, { x: x + width, y: y + height });

/** The ink of these characters is about as high as wide and stands on the baseline. */
function glyphBoxesAt({ glyphs }: PageMarks, { x, y }: { x: number; y: number }): Rect[] {
  return glyphs.flatMap((glyph) => {
    if (Math.abs(glyph.x + glyph.width / 2 - x) > glyph.size || Math.abs(glyph.baseline - y) > glyph.size)
      return [];
    if (!BOX_GLYPHS.test(glyph.text)) return [];
    const side = Math.min(glyph.width, glyph.size) * 0.85;
    return [
      {
        x: glyph.x + (glyph.width - side) / 2,
        y: glyph.baseline - glyph.size * 0.35 - side / 2,
        width: side,
        height: side,
      },
    ];
  });
}

/**
 * The part of a box that is free to write in: below a label at its top, or to the right of one at its left. Null if its texts
 * leave no such part.
 */
export function freePartOf(page: PageMarks, box: Rect): Rect | null {
  const inside = page.glyphs.filter(
    ({ text, x, width, baseline }) =>
      text.trim() !== '' &&
      !BOX_GLYPHS.test(text) &&
      x + width / 2 > box.x &&
      x + width / 2 < box.x + box.width &&
      baseline > box.y &&
      baseline <= box.y + box.height,
  );
  if (inside.length === 0) return box;
  const below = Math.max(...inside.map(({ baseline, size }) => baseline + size * 0.22)) + 1;
  const beside = Math.max(...inside.map(({ x, width }) => x + width)) + 2;
  const lower = { ...box, y: below, height: box.y + box.height - below };
  const righter = { ...box, x: beside, width: box.x + box.width - beside };
  if (lower.height >= Math.max(9, box.height * 0.4)) return lower;
  return righter.width >= Math.max(24, box.width * 0.3) ? righter : null;
}
