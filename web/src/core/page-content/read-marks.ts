import { apply, type Matrix } from '../geometry/matrix.ts';
import type { Rect } from '../geometry/rect.ts';
import { GlyphReader, type MarkGlyph, type TextOperators } from './read-glyphs.ts';
import { type MatrixOperators, type PageOperators, pathOf, walkOperators } from './walk-operators.ts';
import { walkPath } from './walk-path.ts';

/** A straight horizontal or vertical stroke. `at` is its y or x, `from` and `to` its extent on the other axis. */
export interface MarkLine {
  readonly axis: 'h' | 'v';
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly thickness: number;
}

/** A filled or stroked rectangle, or a small closed shape such as a circle. */
export interface MarkShape extends Rect {
  readonly filled: boolean;
  readonly stroked: boolean;
  /** 0 is black, 1 is white; of the filling. */
  readonly lightness: number;
  /** Four sides along the axes. Letters that were turned into outlines are not. */
  readonly rectangular: boolean;
}

/** Everything on a page that a person could read as a place to write, in points from the top left as displayed. */
export interface PageMarks {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly MarkLine[];
  readonly shapes: readonly MarkShape[];
  readonly glyphs: readonly MarkGlyph[];
}

/** The operators that paint or change what is painted, by their pdf.js numbers. */
export interface MarkOperators extends MatrixOperators, TextOperators {
  readonly constructPath: number;
  readonly stroke: number;
  readonly closeStroke: number;
  readonly fill: number;
  readonly eoFill: number;
  readonly fillStroke: number;
  readonly eoFillStroke: number;
  readonly closeFillStroke: number;
  readonly closeEOFillStroke: number;
  readonly setLineWidth: number;
  readonly setFillRGBColor: number;
  readonly setStrokeRGBColor: number;
  readonly paintSolidColorImageMask: number;
}

interface Paint {
  lineWidth: number;
  fill: number;
  stroke: number;
}

const LEVEL = 0.3; // points of slant that still count as straight
const THIN = 3; // a filled bar up to this thick is a line
const MOST_MARKS = 20_000; // maps and drawings have more; a form has not
const LARGEST_LETTER = 40; // smaller curved outlines are taken for letters
const RING = 3; // thickest outline of a box, in points
const WHOLE = 0.97; // of its bounds that a rectangle fills, however many points it has
const RADIUS = 8; // of a rounded corner
const SIDE = 0.6; // a straight piece this long, of the whole, is the side of a rounded box
const INVISIBLE = 0.97; // strokes this light cannot be seen on white paper

export function readMarks(
  page: PageOperators & { readonly width: number; readonly height: number },
  numbers: MarkOperators,
): PageMarks {
  const lines: MarkLine[] = [];
  const shapes: MarkShape[] = [];
  const glyphs = new GlyphReader(numbers);
  let paint: Paint = { lineWidth: 1, fill: 0, stroke: 0 };
  const paints: Paint[] = [];
  const strokes = new Set([numbers.stroke, numbers.closeStroke]);
  const fills = new Set([numbers.fill, numbers.eoFill]);
  const both = new Set([
    numbers.fillStroke,
    numbers.eoFillStroke,
    numbers.closeFillStroke,
    numbers.closeEOFillStroke,
  ]);
  walkOperators(page, numbers, {
    save: () => {
      paints.push({ ...paint });
      glyphs.save();
    },
    restore: () => {
      paint = paints.pop() ?? paint;
      glyphs.restore();
    },
    operator: (operator, operands, matrix) => {
      if (glyphs.take(operator, operands, matrix)) return;
      if (operator === numbers.setLineWidth) paint.lineWidth = Number(operands[0]) || 0;
      else if (operator === numbers.setFillRGBColor) paint.fill = lightnessOf(operands[0]);
      else if (operator === numbers.setStrokeRGBColor) paint.stroke = lightnessOf(operands[0]);
      else if (operator === numbers.paintSolidColorImageMask) {
        addOutline(unitSquare(matrix), { filled: true, stroked: false });
      } else if (operator === numbers.constructPath) {
        const painting = operands[0] as number;
        const isBoth = both.has(painting);
        const [filled, stroked] = [isBoth || fills.has(painting), isBoth || strokes.has(painting)];
        const path = pathOf(operands);
        if ((filled || stroked) && path !== undefined) {
          const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]));
          const thickness = Math.max(0.1, paint.lineWidth * scale);
          const outlines = outlinesOf(path, matrix);
          for (const outline of outlines)
            if (filled && !stroked && isFrame(outline, outlines)) addFrame(outline);
            else addOutline(outline, { filled, stroked, thickness });
        }
      }
    },
  });
  return { width: page.width, height: page.height, lines, shapes, glyphs: glyphs.glyphs };

  /** A box whose outline is painted as a filled ring. */
  function addFrame({ points }: Outline): void {
    if (paint.fill < INVISIBLE && shapes.length < MOST_MARKS)
      shapes.push({
        ...boundsOfPoints(points),
        filled: false,
        stroked: true,
        lightness: 1,
        rectangular: true,
      });
  }

  function addOutline(
    outline: Outline,
    { filled, stroked, thickness = 0 }: { filled: boolean; stroked: boolean; thickness?: number },
  ): void {
    if (lines.length + shapes.length >= MOST_MARKS) return;
    const bounds = boundsOfPoints(outline.points);
    const isVisible = { fill: filled, stroke: stroked && paint.stroke < INVISIBLE };
    const isThin = Math.min(bounds.width, bounds.height) <= THIN;
    if (isVisible.fill && isThin && outline.straight && Math.max(bounds.width, bounds.height) > 0.5) {
      if (paint.fill < INVISIBLE) lines.push(barOf(bounds));
      return;
    }
    if (!outline.straight && Math.max(bounds.width, bounds.height) > LARGEST_LETTER)
      for (const line of sidesOf(outline, bounds)) lines.push(line);
    if (outline.straight && !outline.rectangular && isVisible.stroke)
      for (const line of segmentsOf(outline, thickness)) lines.push(line);
    else if (outline.rectangular || (outline.closed && outline.points.length > 2))
      shapes.push({
        ...bounds,
        filled: isVisible.fill,
        stroked: isVisible.stroke,
        lightness: isVisible.fill ? paint.fill : 1,
        rectangular: outline.rectangular,
      });
    if (isVisible.stroke && outline.rectangular)
      for (const line of segmentsOf(outline, thickness)) lines.push(line);
  }
}

interface Outline {
  readonly points: (readonly [number, number])[];
  straight: boolean;
  closed: boolean;
  /** Four straight sides along the axes. */
  rectangular: boolean;
}

/** The subpaths of a path. */
function outlinesOf(path: Float32Array, matrix: Matrix): Outline[] {
  const outlines: Outline[] = [];
  let current: Outline | undefined;
  const started = (at: readonly [number, number]): Outline => {
    current ??= { points: [at], straight: true, closed: false, rectangular: false };
    if (!outlines.includes(current)) outlines.push(current);
    return current;
  };
  walkPath(path, matrix, {
    move: (at) => {
      current = { points: [at], straight: true, closed: false, rectangular: false };
    },
    line: (from, to, closing) => {
      const outline = started(from);
      if (Math.abs(to[0] - from[0]) > LEVEL && Math.abs(to[1] - from[1]) > LEVEL) outline.straight = false;
      outline.points.push(to);
      if (closing) outline.closed = true;
    },
    curve: (from, to) => {
      const outline = started(from);
      outline.straight = false;
      outline.points.push(to);
    },
  });
  for (const outline of outlines) {
    const { points } = outline;
    const [first, last] = [points[0], points.at(-1)];
    if (first && last && Math.hypot(first[0] - last[0], first[1] - last[1]) <= LEVEL) outline.closed = true;
    const { width, height } = boundsOfPoints(points);
    outline.rectangular =
      outline.straight &&
      outline.closed &&
      width > LEVEL &&
      height > LEVEL &&
      areaOf(points) >= WHOLE * width * height;
  }
  return outlines;
}

/** The area inside a closed outline. */
function areaOf(points: readonly (readonly [number, number])[]): number {
  let doubled = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    doubled += x * nextY - nextX * y;
  }
  return Math.abs(doubled) / 2;
}

function segmentsOf({ points }: Outline, thickness: number): MarkLine[] {
  return points.slice(1).flatMap((to, index) => {
    const from = points[index] ?? to;
    const [dx, dy] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    if ((dx <= LEVEL && dy <= LEVEL) || (dx > LEVEL && dy > LEVEL)) return [];
    const axis = dy <= LEVEL ? 'h' : 'v';
    const along = axis === 'h' ? 0 : 1;
    return [
      {
        axis,
        at: (from[1 - along] as number) / 2 + (to[1 - along] as number) / 2,
        from: Math.min(from[along] as number, to[along] as number),
        to: Math.max(from[along] as number, to[along] as number),
        thickness,
      },
    ];
  });
}

/** Whether a filled outline is a ring around a box: one outline that runs along all sides twice, or a box with a hole. */
function isFrame(outline: Outline, siblings: readonly Outline[]): boolean {
  const bounds = boundsOfPoints(outline.points);
  const { x, y, width, height } = bounds;
  if (Math.min(width, height) < 2 * RING) return false;
  if (outline.rectangular)
    return siblings.some(({ points, rectangular }) => {
      const hole = boundsOfPoints(points);
      const margins = [hole.x - x, hole.y - y, width - hole.width, height - hole.height];
      return rectangular && margins.every((margin) => margin > 0.05 && margin <= RING);
    });
  if (!outline.straight || areaOf(outline.points) > 0.5 * width * height) return false;
  const sides = segmentsOf(outline, 0);
  const along = (axis: 'h' | 'v', at: number) =>
    sides.reduce(
      (sum, side) => sum + (side.axis === axis && Math.abs(side.at - at) <= LEVEL ? side.to - side.from : 0),
      0,
    );
  return (
    Math.min(along('h', y), along('h', y + height)) >= 0.85 * width &&
    Math.min(along('v', x), along('v', x + width)) >= 0.85 * height
  );
}

/** The sides of a box with rounded or bevelled corners, as long as the box. */
function sidesOf(outline: Outline, { x, y, width, height }: Rect): MarkLine[] {
  return segmentsOf(outline, 0.5).flatMap((line): MarkLine[] => {
    const extent = line.axis === 'h' ? width : height;
    if (line.to - line.from < Math.max(3, Math.min(SIDE * extent, extent - 2 * RADIUS))) return [];
    const start = line.axis === 'h' ? x : y;
    return [{ ...line, from: start, to: start + extent }];
  });
}

function barOf({ x, y, width, height }: Rect): MarkLine {
  return width >= height
    ? { axis: 'h', at: y + height / 2, from: x, to: x + width, thickness: height }
    : { axis: 'v', at: x + width / 2, from: y, to: y + height, thickness: width };
}

function boundsOfPoints(points: readonly (readonly [number, number])[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** An image is painted into the unit square of the current matrix (ISO 32000-2 §8.9.5). */
function unitSquare(matrix: Matrix): Outline {
  const corner = (x: number, y: number) => apply(matrix, x, y);
  const points = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1), corner(0, 0)];
  return { points, straight: true, closed: true, rectangular: true };
}

/** pdf.js gives colours as `#rrggbb`. Patterns count as dark. */
function lightnessOf(colour: unknown): number {
  const hex = typeof colour === 'string' ? /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})/i.exec(colour) : null;
  if (hex === null) return 0;
  const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => Number.parseInt(part, 16) / 255);
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}
