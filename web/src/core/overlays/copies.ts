import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../geometry/box.ts';
import { quantise } from '../geometry/quantise.ts';
import { type Point, unionOf } from '../geometry/rect.ts';
import { newId } from './badges.ts';

/** The offset of a copy from its original, so that it is visible. */
export const COPY_OFFSET = 10;

export interface Copies {
  readonly layout: Layout;
  readonly ids: readonly string[];
}

/** Adds copies with new ids, on the page and with the offset that `place` returns. */
export function addCopies(
  layout: Layout,
  originals: readonly Overlay[],
  place: (original: Overlay) => { readonly page: number; readonly shift: Point },
): Copies {
  let next = layout;
  const ids: string[] = [];
  for (const original of originals) {
    const { page, shift } = place(original);
    const id = newId(next, original.type);
    ids.push(id);
    const copy = {
      ...original,
      id,
      page,
      x: quantise(original.x + shift.x),
      y: quantise(original.y + shift.y),
    };
    next = { ...next, overlays: [...next.overlays, copy] };
  }
  return { layout: next, ids };
}

export function duplicate(layout: Layout, originals: readonly Overlay[]): Copies {
  return addCopies(layout, originals, ({ page }) => ({ page, shift: { x: COPY_OFFSET, y: COPY_OFFSET } }));
}

/**
 * Pastes the copied overlays onto `page`. On another page they keep their position, as users expect when copying across
 * pages; on the same page every paste adds an offset. Overlays that would be off the page are moved back onto it.
 */
export function paste(
  layout: Layout,
  copied: readonly Overlay[],
  page: number,
  size: { readonly width: number; readonly height: number },
  times: number,
): Copies {
  const bounds = unionOf(copied.map(boundsOf));
  if (bounds === null) return { layout, ids: [] };
  const step = copied.some((overlay) => overlay.page === page) ? COPY_OFFSET * times : 0;
  const onto = (at: number, extent: number, room: number) =>
    Math.max(0, Math.min(at + step, Math.max(0, room - extent))) - at;
  const shift = {
    x: onto(bounds.x, bounds.width, size.width),
    y: onto(bounds.y, bounds.height, size.height),
  };
  return addCopies(layout, copied, () => ({ page, shift }));
}
