/** Lengths are in points and y points down, as in the layout. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export const centreOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

export const shifted = (rect: Rect, { x, y }: Point): Rect => ({ ...rect, x: rect.x + x, y: rect.y + y });

/** The rectangle between two opposite corners, in any order. */
export function between(a: Point, b: Point): Rect {
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
}

/** The smallest rectangle around all of them; null if there are none. */
export function unionOf(rects: readonly Rect[]): Rect | null {
  const [first, ...others] = rects;
  if (first === undefined) return null;
  let { x, y } = first;
  let right = x + first.width;
  let bottom = y + first.height;
  for (const rect of others) {
    x = Math.min(x, rect.x);
    y = Math.min(y, rect.y);
    right = Math.max(right, rect.x + rect.width);
    bottom = Math.max(bottom, rect.y + rect.height);
  }
  return { x, y, width: right - x, height: bottom - y };
}

export function contains(rect: Rect, { x, y }: Point): boolean {
  return x >= rect.x && x <= rect.x + rect.width && y >= rect.y && y <= rect.y + rect.height;
}

/** The overlap of two rectangles on each axis; negative if there is a gap. */
export function overlapOf(a: Rect, b: Rect): Point {
  return {
    x: Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x),
    y: Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y),
  };
}

export function intersects(a: Rect, b: Rect): boolean {
  const { x, y } = overlapOf(a, b);
  return x >= 0 && y >= 0;
}
