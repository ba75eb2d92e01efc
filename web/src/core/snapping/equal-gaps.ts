import { overlapOf, type Rect } from '../geometry/rect.ts';
import type { Guide } from './snap.ts';

/** A position at which the gaps around the moving box, or in the row that it ends, are equal. */
export interface EqualGap {
  readonly delta: number;
  readonly guides: readonly Guide[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Considers only boxes in the same row (or column), and of these the nearest two on either side. */
export function equalGaps(rect: Rect, boxes: readonly Rect[], axis: 'x' | 'y'): EqualGap[] {
  const along = (box: Rect): Span =>
    axis === 'x' ? { start: box.x, end: box.x + box.width } : { start: box.y, end: box.y + box.height };
  const beside = boxes.filter((box) => overlapOf(box, rect)[axis === 'x' ? 'y' : 'x'] > 0).map(along);
  const moving = along(rect);
  const extent = moving.end - moving.start;
  const middle = axis === 'x' ? rect.y + rect.height / 2 : rect.x + rect.width / 2;
  const before = beside.filter(({ end }) => end <= moving.start + extent / 2).sort((a, b) => b.end - a.end);
  const after = beside
    .filter(({ start }) => start >= moving.end - extent / 2)
    .sort((a, b) => a.start - b.start);
  const guide = (from: number, to: number): Guide => ({
    axis: axis === 'x' ? 'y' : 'x',
    kind: 'gap',
    at: middle,
    from,
    to,
  });
  const found: EqualGap[] = [];
  const put = (start: number, ...guides: Guide[]) => found.push({ delta: start - moving.start, guides });

  const [left, left2] = before;
  const [right, right2] = after;
  if (left !== undefined && right !== undefined) {
    const gap = (right.start - left.end - extent) / 2;
    const start = left.end + gap;
    if (gap > 0) put(start, guide(left.end, start), guide(start + extent, right.start));
  }
  if (left !== undefined && left2 !== undefined) {
    const gap = left.start - left2.end;
    if (gap > 0) put(left.end + gap, guide(left2.end, left.start), guide(left.end, left.end + gap));
  }
  if (right !== undefined && right2 !== undefined) {
    const gap = right2.start - right.end;
    if (gap > 0)
      put(right.start - gap - extent, guide(right.start - gap, right.start), guide(right.end, right2.start));
  }
  return found;
}
