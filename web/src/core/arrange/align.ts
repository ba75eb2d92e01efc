import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../geometry/box.ts';
import { quantise } from '../geometry/quantise.ts';
import { type Rect, unionOf } from '../geometry/rect.ts';
import { patchOverlays, withMembers } from '../overlays/patch-overlays.ts';

export type Edge = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom';
export type PageSizes = readonly { readonly width: number; readonly height: number }[];

/** Aligns several fields with each other, page by page, or one field with its page. Rotated fields are aligned by their visible bounds. */
export function align(layout: Layout, overlays: readonly Overlay[], edge: Edge, pages: PageSizes): Layout {
  const frames = new Map<number, Rect>();
  for (const page of new Set(overlays.map((overlay) => overlay.page))) {
    const group = overlays.filter((overlay) => overlay.page === page);
    const size = pages[page - 1];
    const whole = size === undefined ? null : { x: 0, y: 0, width: size.width, height: size.height };
    const frame = group.length > 1 ? unionOf(group.map(boundsOf)) : whole;
    if (frame !== null) frames.set(page, frame);
  }
  const ids = overlays.map(({ id }) => id);
  return patchOverlays(layout, ids, (overlay) => {
    const frame = frames.get(overlay.page);
    if (frame === undefined) return overlay;
    const bounds = boundsOf(overlay);
    const { x = 0, y = 0 } = shiftTo(bounds, frame, edge);
    return withMembers(overlay, { x: quantise(overlay.x + x), y: quantise(overlay.y + y) });
  });
}

function shiftTo(box: Rect, frame: Rect, edge: Edge): { x?: number; y?: number } {
  switch (edge) {
    case 'left':
      return { x: frame.x - box.x };
    case 'centre':
      return { x: frame.x + frame.width / 2 - (box.x + box.width / 2) };
    case 'right':
      return { x: frame.x + frame.width - (box.x + box.width) };
    case 'top':
      return { y: frame.y - box.y };
    case 'middle':
      return { y: frame.y + frame.height / 2 - (box.y + box.height / 2) };
    case 'bottom':
      return { y: frame.y + frame.height - (box.y + box.height) };
  }
}
