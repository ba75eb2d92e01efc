import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../geometry/box.ts';
import { quantise } from '../geometry/quantise.ts';
import { patchOverlays, withMembers } from '../overlays/patch-overlays.ts';

/** Makes the gaps between neighbours equal; the outer two stay in place. Needs at least three. */
export function distribute(layout: Layout, overlays: readonly Overlay[], axis: 'x' | 'y'): Layout {
  if (overlays.length < 3) return layout;
  const extent = axis === 'x' ? 'width' : 'height';
  const boxes = overlays
    .map((overlay) => ({ id: overlay.id, bounds: boundsOf(overlay) }))
    .sort((a, b) => a.bounds[axis] - b.bounds[axis] || a.bounds[extent] - b.bounds[extent]);
  const [first] = boxes;
  const last = boxes.at(-1);
  if (first === undefined || last === undefined) return layout;
  const room = last.bounds[axis] + last.bounds[extent] - first.bounds[axis];
  const filled = boxes.reduce((sum, { bounds }) => sum + bounds[extent], 0);
  const gap = (room - filled) / (boxes.length - 1);
  const shifts = new Map<string, number>();
  let at = first.bounds[axis];
  for (const { id, bounds } of boxes) {
    shifts.set(id, at - bounds[axis]);
    at += bounds[extent] + gap;
  }
  return patchOverlays(layout, shifts.keys(), (overlay) =>
    withMembers(overlay, { [axis]: quantise(overlay[axis] + (shifts.get(overlay.id) ?? 0)) }),
  );
}
