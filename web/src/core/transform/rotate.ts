import type { Point } from '../geometry/rect.ts';

const STEP = 15;
const QUARTER = 90;
const PULL = 3;

/** Returns the angle of a box whose rotation handle (above its top) is at `pointer`. */
export function angleTo(centre: Point, pointer: Point): number {
  return (Math.atan2(pointer.y - centre.y, pointer.x - centre.x) * 180) / Math.PI + 90;
}

/** Steps of 15 degrees with Shift; otherwise snaps to quarter turns, unless guides are off. */
export function settledAngle(degrees: number, { steps, free }: { steps: boolean; free: boolean }): number {
  if (steps) return Math.round(degrees / STEP) * STEP;
  const quarter = Math.round(degrees / QUARTER) * QUARTER;
  return !free && Math.abs(degrees - quarter) <= PULL ? quarter : degrees;
}
