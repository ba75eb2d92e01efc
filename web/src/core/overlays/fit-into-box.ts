import type { OverlayType, OverlayWith } from '#fill/kinds/overlay-schema.ts';
import type { Layout, Overlay, ValueSource } from '#fill/package/layout-schema.ts';
import { isText, TOOLS } from '../../kinds/tools.ts';
import type { Rect } from '../geometry/rect.ts';
import { newOverlay } from './new-overlay.ts';

/** The type of a form is rarely smaller; a lower box shrinks the text by its `fit`. */
const LEAST_SIZE = 6;
/** Padding leaves at least this height for the text. */
const LEAST_ROOM = 7;
/** Sizes are whole or half points. */
const STEP = 0.5;

/** Creates a field over the free space of a printed box. A text gets a size that suits the height of the box. */
export function newOverlayInBox(
  layout: Layout,
  kind: OverlayType,
  page: number,
  box: Rect,
  value?: ValueSource,
): Overlay {
  const made = newOverlay(
    layout,
    kind,
    { page, x: box.x, y: box.y },
    { size: box, ...(value === undefined ? {} : { value }) },
  );
  return isText(made) ? withTypeFor(made, usualSize(layout, kind)) : made;
}

/** The size of the last field of this kind that its own box did not limit. */
function usualSize(layout: Layout, kind: OverlayType): number {
  const free = layout.overlays.findLast(
    (other) => other.type === kind && isText(other) && sizeFor(other, other.size + STEP) > other.size,
  );
  const found = free ?? TOOLS[kind].traits.defaults;
  return 'size' in found ? found.size : STEP;
}

type Typeset = Pick<OverlayWith<'isText'>, 'height' | 'padding' | 'line_height'>;

/** The largest size up to `wanted` of which one line fits. */
const sizeFor = ({ height, padding, line_height }: Typeset, wanted: number): number =>
  Math.max(LEAST_SIZE, Math.min(wanted, Math.floor((height - 2 * padding) / line_height / STEP) * STEP));

/**
 * Keeps the usual type size if a line fits into the box, otherwise uses the largest that does. In a box of several lines the
 * text starts at the top and breaks its lines.
 */
function withTypeFor(overlay: OverlayWith<'isText'>, usual: number): OverlayWith<'isText'> {
  const padding = Math.max(0, Math.min(overlay.padding, (overlay.height - LEAST_ROOM) / 2));
  const size = sizeFor({ ...overlay, padding }, usual);
  const isTall = overlay.height - 2 * padding >= 2 * size * overlay.line_height;
  return { ...overlay, padding, size, ...(isTall ? { wrap: true, valign: 'top' } : { valign: 'middle' }) };
}
