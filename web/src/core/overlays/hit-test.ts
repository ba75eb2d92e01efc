import type { Overlay } from '#fill/package/layout-schema.ts';
import { boundsOf, boxContains, boxesOverlap } from '../geometry/box.ts';
import { intersects, type Point, type Rect } from '../geometry/rect.ts';

/** Returns the topmost overlay at a point of the page. */
export function hit(overlays: readonly Overlay[], point: Point, slack = 0): Overlay | undefined {
  return overlays.findLast((overlay) => boxContains(overlay, point, slack));
}

/** Returns the overlays that a marquee touches. */
export function touchedBy(overlays: readonly Overlay[], marquee: Rect): Overlay[] {
  return overlays.filter(
    (overlay) =>
      intersects(boundsOf(overlay), marquee) &&
      (overlay.rotation % 90 === 0 || boxesOverlap(overlay, { ...marquee, rotation: 0 })),
  );
}
