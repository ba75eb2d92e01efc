import { overlapOf, type Rect, unionOf } from '../geometry/rect.ts';
import type { PrintedBox } from './boxes.ts';
import type { Ink } from './ink.ts';
import type { PageRules } from './page-rules.ts';
import { encloses, type Place } from './place.ts';

const NARROWEST = 14;
const LOWEST = 8;
const HIGHEST = 400;
const LIGHT = 0.94;
const PAPER = 0.985; // a tinted box with text is a heading
const LEAST_BELOW = 10; // free height below a label
const MOST_LABEL_LINES = 3;
const SIGN = 13; // a currency sign or the like at the start of a box

/** Boxes without text, and the free part of boxes whose label is printed inside. */
export function textBoxes(
  boxes: readonly PrintedBox[],
  rules: PageRules,
  ink: Ink,
  others: readonly Place[],
): Place[] {
  const light = boxes.filter(
    ({ width, height, lightness }) =>
      width >= NARROWEST && height >= LOWEST && height <= HIGHEST && lightness >= LIGHT,
  );
  return light.flatMap((box): Place[] => {
    const isFrame =
      boxes.some(
        (other) =>
          other !== box &&
          other.width * other.height < 0.9 * box.width * box.height &&
          encloses(box, other) &&
          other.width > 3 &&
          other.height > 3,
      ) ||
      others.some(({ rect }) => encloses(box, rect, 2)) ||
      rules.across.some(
        ({ at, from, to }) =>
          at > box.y + 3 && at < box.y + box.height - 3 && from >= box.x - 2 && to <= box.x + box.width + 2,
      );
    if (isFrame || isPartOfShading(box, boxes)) return [];
    const printed = ink.within(inner(box));
    if (printed.length === 0)
      return [{ kind: 'text', rect: rectOf(box), onLine: false, confidence: box.drawn ? 0.9 : 0.8 }];
    const free = box.lightness >= PAPER ? freePart(box, printed) : undefined;
    return free === undefined ? [] : [{ kind: 'text', rect: free, onLine: false, confidence: 0.6 }];
  });
}

/** Word processors shade a heading paragraph by paragraph. */
const isPartOfShading = (box: PrintedBox, boxes: readonly PrintedBox[]) =>
  box.lightness < PAPER &&
  !box.outlined &&
  boxes.some(
    (other) =>
      other !== box &&
      Math.abs(other.lightness - box.lightness) < 0.01 &&
      overlapOf(box, other).x > 2 &&
      overlapOf(box, other).y > -2,
  );

const rectOf = ({ x, y, width, height }: Rect): Rect => ({ x, y, width, height });

/** Below the label, or after a sign at the start. */
function freePart(box: Rect, printed: readonly Rect[]): Rect | undefined {
  const label = unionOf(printed);
  if (label === null) return undefined;
  const right = label.x + label.width + 1;
  const isCentred = Math.abs(label.y + label.height / 2 - box.y - box.height / 2) < 0.2 * box.height;
  if (isCentred && label.x - box.x < SIGN && label.width < SIGN && box.width > 3 * SIGN)
    return { x: right, y: box.y, width: box.x + box.width - right, height: box.height };
  const lines = new Set(printed.map(({ y, height }) => Math.round((y + height) / 4))).size;
  const bottom = label.y + label.height + 0.5;
  const below = box.y + box.height - bottom;
  if (below >= LEAST_BELOW && lines <= MOST_LABEL_LINES && label.y - box.y < 14)
    return { x: box.x, y: bottom, width: box.width, height: below };
  return undefined;
}

const inner = ({ x, y, width, height }: Rect): Rect => ({
  x: x + 0.5,
  y: y + 0.5,
  width: width - 1,
  height: height - 1,
});
