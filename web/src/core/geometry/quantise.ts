/**
 * Rounds to a thousandth of a point, which is far below printer precision and keeps layouts readable. Applied when a
 * gesture ends, because rounding at every step would make a slow drag drift.
 */
const STEPS_PER_POINT = 1_000;

export function quantise(length: number): number {
  const rounded = Math.round(length * STEPS_PER_POINT) / STEPS_PER_POINT;
  return rounded === 0 ? 0 : rounded; // avoids -0 in a layout
}

/** Degrees in (-180, 180], to a hundredth. */
export function quantiseAngle(degrees: number): number {
  const turn = ((degrees % 360) + 360) % 360;
  const rounded = Math.round((turn > 180 ? turn - 360 : turn) * 100) / 100;
  return rounded === 0 ? 0 : rounded;
}
