import { overlapOf, type Rect } from '../geometry/rect.ts';

/** A place to write or tick, before it has a name. */
export interface Place {
  readonly kind: 'text' | 'comb' | 'check';
  readonly rect: Rect;
  /** Cells of a comb. */
  readonly cells?: number;
  /** The place stands on a line and is open above, so a label below the line belongs to it. */
  readonly onLine: boolean;
  /** Looks like a radio button: one of several applies. */
  readonly round?: boolean;
  readonly confidence: number;
}

/** Whether `a` and `b` share more than `share` of the smaller one. */
export function overlaps(a: Rect, b: Rect, share: number): boolean {
  const { x, y } = overlapOf(a, b);
  if (x <= 0 || y <= 0) return false;
  return x * y > share * Math.min(a.width * a.height, b.width * b.height);
}

/** Whether `inner` lies in `outer`, with `slack` points to spare. */
export function encloses(outer: Rect, inner: Rect, slack = 1): boolean {
  return (
    inner.x >= outer.x - slack &&
    inner.y >= outer.y - slack &&
    inner.x + inner.width <= outer.x + outer.width + slack &&
    inner.y + inner.height <= outer.y + outer.height + slack
  );
}
