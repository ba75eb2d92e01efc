import type { Rect } from '../../web/src/core/geometry/rect.ts';
import { overlapOf } from '../../web/src/core/geometry/rect.ts';

export const FOUND_AT = 0.6;

export interface Score {
  readonly fields: number;
  readonly proposals: number;
  readonly found: number;
}

export function iou(a: Rect, b: Rect): number {
  const { x, y } = overlapOf(a, b);
  if (x <= 0 || y <= 0) return 0;
  return (x * y) / (a.width * a.height + b.width * b.height - x * y);
}

/** Greedy one-to-one matching, best overlap first. Returns pairs of indexes with an overlap of at least FOUND_AT. */
export function matched(fields: readonly Rect[], proposals: readonly Rect[]): (readonly [number, number])[] {
  const pairs = fields
    .flatMap((field, at) =>
      proposals.map((proposal, index) => ({ at, index, overlap: iou(field, proposal) })),
    )
    .filter(({ overlap }) => overlap >= FOUND_AT)
    .sort((a, b) => b.overlap - a.overlap || a.at - b.at || a.index - b.index);
  const [takenFields, takenProposals] = [new Set<number>(), new Set<number>()];
  return pairs.flatMap(({ at, index }) => {
    if (takenFields.has(at) || takenProposals.has(index)) return [];
    takenFields.add(at);
    takenProposals.add(index);
    return [[at, index] as const];
  });
}
