import type { Rect } from '../geometry/rect.ts';
import type { MarkShape } from '../page-content/read-marks.ts';
import type { PrintedBox } from './boxes.ts';
import type { Ink } from './ink.ts';
import { overlaps, type Place } from './place.ts';

const LEAST = 5;
const MOST = 18;
const SQUARE = 0.68; // shorter side by longer side

const isSquare = ({ width, height }: Rect) =>
  Math.min(width, height) >= LEAST &&
  Math.max(width, height) <= MOST &&
  Math.min(width, height) >= SQUARE * Math.max(width, height);

/** Empty squares and circles of the size of a tick, and characters that draw them. */
export function checkBoxes(
  boxes: readonly PrintedBox[],
  shapes: readonly MarkShape[],
  glyphs: readonly Rect[],
  ink: Ink,
): Place[] {
  const found: Place[] = [];
  const add = (rect: Rect, confidence: number, round: boolean) => {
    // A shadowed box is drawn as two squares: the first is the larger.
    if (!found.some((known) => overlaps(known.rect, rect, 0.3)))
      found.push({ kind: 'check', rect: rectOf(rect), onLine: false, round, confidence });
  };
  for (const glyph of glyphs) add(glyph, 0.95, false);
  const squares = boxes.filter((box) => isSquare(box) && box.lightness > 0.85);
  for (const box of squares.sort((a, b) => b.width * b.height - a.width * a.height))
    if (ink.within(inner(box)).length === 0) add(box, box.drawn ? 0.9 : 0.7, false);
  for (const shape of shapes)
    if (!shape.rectangular && shape.stroked && isSquare(shape) && isRound(shape)) add(shape, 0.8, true);
  return found;
}

const rectOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

const isRound = ({ width, height }: Rect) => Math.min(width, height) >= 0.9 * Math.max(width, height);

const inner = ({ x, y, width, height }: Rect): Rect => ({
  x: x + 1,
  y: y + 1,
  width: width - 2,
  height: height - 2,
});
