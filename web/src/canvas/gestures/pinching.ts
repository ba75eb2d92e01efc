import type { Point } from '../../core/geometry/rect.ts';

/** Two fingers: their distance zooms, their midpoint pans. Runs beside the one-pointer states and cancels them. */
export interface Pinch {
  move(a: Point, b: Point): { readonly factor: number; readonly centre: Point; readonly pan: Point };
}

export function startPinching(a: Point, b: Point): Pinch {
  let distance = spread(a, b);
  let centre = middle(a, b);
  return {
    move: (nextA, nextB) => {
      const [nextDistance, nextCentre] = [spread(nextA, nextB), middle(nextA, nextB)];
      const factor = nextDistance / distance;
      const pan = { x: centre.x - nextCentre.x, y: centre.y - nextCentre.y };
      distance = nextDistance;
      centre = nextCentre;
      return { factor, centre, pan };
    },
  };
}

const spread = (a: Point, b: Point) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
