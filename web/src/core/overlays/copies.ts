import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../geometry/box.ts';
import { quantise } from '../geometry/quantise.ts';
import { type Point, unionOf } from '../geometry/rect.ts';
import { newId } from './badges.ts';
import { copiedBoxes } from './choice-groups.ts';
import { placedOn } from './new-table.ts';

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
  const inGroup = copiedBoxes(layout, originals);
  for (const original of originals) {
    const { page, shift } = place(original);
    const id = newId(next, original.type);
    ids.push(id);
    const copy = inGroup({
      ...original,
      ...placedOn(original, page),
      id,
      x: quantise(original.x + shift.x),
      y: quantise(original.y + shift.y),
    } as Overlay);
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
  const shift = {
    x: ontoPage(bounds.x + step, bounds.width, size.width) - bounds.x,
    y: ontoPage(bounds.y + step, bounds.height, size.height) - bounds.y,
  };
  return addCopies(layout, copied, () => ({ page, shift }));
}

/** Pastes the copied overlays with their centre at a point, as far as the page has room. */
export function pasteAround(
  layout: Layout,
  copied: readonly Overlay[],
  page: number,
  size: { readonly width: number; readonly height: number },
  point: Point,
): Copies {
  const bounds = unionOf(copied.map(boundsOf));
  if (bounds === null) return { layout, ids: [] };
  const shift = {
    x: ontoPage(point.x - bounds.width / 2, bounds.width, size.width) - bounds.x,
    y: ontoPage(point.y - bounds.height / 2, bounds.height, size.height) - bounds.y,
  };
  return addCopies(layout, copied, () => ({ page, shift }));
}

const ontoPage = (at: number, extent: number, room: number): number =>
  Math.max(0, Math.min(at, Math.max(0, room - extent)));
