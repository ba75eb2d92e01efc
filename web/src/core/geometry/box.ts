import { centreOf, type Point, type Rect, unionOf } from './rect.ts';

/** An overlay's frame: a rectangle rotated clockwise about its centre, in degrees. */
export interface Box extends Rect {
  readonly rotation: number;
}

export function turned(point: Point, centre: Point, degrees: number): Point {
  if (degrees === 0) return point;
  const radians = (degrees * Math.PI) / 180;
  const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
  const [x, y] = [point.x - centre.x, point.y - centre.y];
  return { x: centre.x + x * cos - y * sin, y: centre.y + x * sin + y * cos };
}

/** Corners clockwise from the top left of the unrotated box. */
export function cornersOf(box: Box): readonly Point[] {
  const { x, y, width, height, rotation } = box;
  const centre = centreOf(box);
  return [
    { x, y },
    { x: x + width, y },
    { x: x + width, y: y + height },
    { x, y: y + height },
  ].map((corner) => turned(corner, centre, rotation));
}

/** The axis-aligned bounding rectangle of the box. */
export function boundsOf(box: Box): Rect {
  if (box.rotation % 360 === 0) return { x: box.x, y: box.y, width: box.width, height: box.height };
  const points = cornersOf(box).map((corner) => ({ ...corner, width: 0, height: 0 }));
  return unionOf(points) ?? box;
}

export function boxContains(box: Box, point: Point, slack = 0): boolean {
  const { x, y } = turned(point, centreOf(box), -box.rotation);
  return (
    x >= box.x - slack &&
    x <= box.x + box.width + slack &&
    y >= box.y - slack &&
    y <= box.y + box.height + slack
  );
}

/**
 * Whether two rotated boxes overlap by more than `slack` points. By the separating axis theorem, two convex shapes are
 * apart exactly if their projections on the normal of one of their edges are apart.
 */
export function boxesOverlap(a: Box, b: Box, slack = 0): boolean {
  const [one, other] = [cornersOf(a), cornersOf(b)];
  return [a.rotation, a.rotation + 90, b.rotation, b.rotation + 90].every((degrees) => {
    const axis = turned({ x: 1, y: 0 }, { x: 0, y: 0 }, degrees);
    const [oneFrom, oneTo] = extentAlong(one, axis);
    const [otherFrom, otherTo] = extentAlong(other, axis);
    return Math.min(oneTo, otherTo) - Math.max(oneFrom, otherFrom) > slack;
  });
}

function extentAlong(points: readonly Point[], axis: Point): readonly [number, number] {
  const along = points.map(({ x, y }) => x * axis.x + y * axis.y);
  return [Math.min(...along), Math.max(...along)];
}
