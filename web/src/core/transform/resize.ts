import { type Box, turned } from '../geometry/box.ts';
import { centreOf, type Point, type Rect } from '../geometry/rect.ts';

/** The eight handles by compass point: `ne` is the top right of the unrotated box. */
export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof HANDLES)[number];

/** A smaller box is too small to grab; the inspector accepts smaller ones. */
export const LEAST_EXTENT = 4;

/** The edges that a handle moves: -1 the left or top one, 1 the right or bottom one, 0 none. */
export function pullOf(handle: Handle): Point {
  return {
    x: handle.includes('w') ? -1 : handle.includes('e') ? 1 : 0,
    y: handle.includes('n') ? -1 : handle.includes('s') ? 1 : 0,
  };
}

/**
 * Returns the box after its handle was dragged by `delta` (in the page's axes). The opposite side stays in place, even if
 * the box is rotated: the new centre is computed in the box's own axes and rotated back.
 */
export function resized(box: Box, handle: Handle, delta: Point, keepRatio: boolean): Box {
  const pull = pullOf(handle);
  const local = turned(delta, { x: 0, y: 0 }, -box.rotation);
  let width = pull.x === 0 ? box.width : Math.max(LEAST_EXTENT, box.width + pull.x * local.x);
  let height = pull.y === 0 ? box.height : Math.max(LEAST_EXTENT, box.height + pull.y * local.y);
  if (keepRatio) {
    const factor =
      pull.x === 0
        ? height / box.height
        : pull.y === 0
          ? width / box.width
          : Math.max(width / box.width, height / box.height);
    const least = Math.max(LEAST_EXTENT / box.width, LEAST_EXTENT / box.height);
    width = box.width * Math.max(factor, least);
    height = box.height * Math.max(factor, least);
  }
  const centre = centreOf(box);
  // How far the centre moves in the box's own axes; a dimension without a dragged edge grows in both directions.
  const shift = { x: (pull.x * (width - box.width)) / 2, y: (pull.y * (height - box.height)) / 2 };
  const moved = turned({ x: centre.x + shift.x, y: centre.y + shift.y }, centre, box.rotation);
  return { x: moved.x - width / 2, y: moved.y - height / 2, width, height, rotation: box.rotation };
}

/** Scales several boxes with the frame around them: positions and sizes are scaled, rotated boxes only uniformly. */
export function scaledInto(box: Box, from: Rect, to: Rect): Box {
  const across = from.width === 0 ? 1 : to.width / from.width;
  const down = from.height === 0 ? 1 : to.height / from.height;
  const centre = centreOf(box);
  const next = { x: to.x + (centre.x - from.x) * across, y: to.y + (centre.y - from.y) * down };
  const upright = box.rotation % 180 === 0;
  const lying = !upright && box.rotation % 90 === 0;
  const even = Math.min(across, down);
  const width = box.width * (upright ? across : lying ? down : even);
  const height = box.height * (upright ? down : lying ? across : even);
  return { x: next.x - width / 2, y: next.y - height / 2, width, height, rotation: box.rotation };
}
