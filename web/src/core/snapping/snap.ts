import type { Rect } from '../geometry/rect.ts';
import { type EqualGap, equalGaps } from './equal-gaps.ts';
import { joinTargets, NO_TARGETS, type SnapLine, type SnapRole, type SnapTargets } from './snap-lines.ts';

/** A line or gap to show while the gesture is snapped to it, in points of the page. */
export interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly kind: 'line' | 'gap';
}

/** The parts of the moving box that can snap, on one axis. */
export interface Offer {
  readonly at: number;
  readonly role: SnapRole;
}

export interface Snapped {
  readonly dx: number;
  readonly dy: number;
  readonly guides: readonly Guide[];
}

/** Lines within this distance of the snapped line are shown as well. */
const SAME = 0.05;
const RANK = { guide: 0, overlay: 1, page: 2, template: 3 } as const;

/** `baseline` is the height of the moving text's first baseline on the page, if it has one. */
export function offersOf(rect: Rect, baseline?: number): { x: Offer[]; y: Offer[] } {
  const three = (start: number, extent: number): Offer[] => [
    { at: start, role: 'edge' },
    { at: start + extent / 2, role: 'centre' },
    { at: start + extent, role: 'edge' },
  ];
  const y = three(rect.y, rect.height);
  if (baseline !== undefined) y.push({ at: baseline, role: 'baseline' });
  return { x: three(rect.x, rect.width), y };
}

/**
 * How far a whole box must move to snap to the nearest lines, at most `tolerance` on each axis. Lines of `preferred`, such as
 * guides and those of the printed box under the pointer, win over nearer ones of `others`.
 */
export function snapBox(
  rect: Rect,
  others: SnapTargets,
  tolerance: number,
  { baseline, preferred = NO_TARGETS }: { baseline?: number | undefined; preferred?: SnapTargets } = {},
): Snapped {
  const offers = offersOf(rect, baseline);
  const across = nearest(offers.x, preferred.x, tolerance) ?? nearest(offers.x, others.x, tolerance);
  const down = nearest(offers.y, preferred.y, tolerance) ?? nearest(offers.y, others.y, tolerance);
  const gapAcross = across === null ? nearestGap(equalGaps(rect, others.boxes, 'x'), tolerance) : null;
  const gapDown = down === null ? nearestGap(equalGaps(rect, others.boxes, 'y'), tolerance) : null;
  const dx = across ?? gapAcross?.delta ?? 0;
  const dy = down ?? gapDown?.delta ?? 0;
  const moved = { ...rect, x: rect.x + dx, y: rect.y + dy };
  const settled = offersOf(moved, baseline === undefined ? undefined : baseline + dy);
  const lines = preferred === NO_TARGETS ? others : joinTargets(preferred, others);
  return {
    dx,
    dy,
    guides: [
      ...(across === null ? [] : guidesFor('x', settled.x, lines.x, moved.y, moved.y + moved.height)),
      ...(down === null ? [] : guidesFor('y', settled.y, lines.y, moved.x, moved.x + moved.width)),
      ...(gapAcross?.guides ?? []),
      ...(gapDown?.guides ?? []),
    ],
  };
}

/** Does the same for single edges (a resize, a corner being placed): only the given edges move. */
export function snapEdges(
  offers: { readonly x: readonly Offer[]; readonly y: readonly Offer[] },
  reach: Rect,
  others: SnapTargets,
  tolerance: number,
  preferred: SnapTargets = NO_TARGETS,
): Snapped {
  const across = nearest(offers.x, preferred.x, tolerance) ?? nearest(offers.x, others.x, tolerance);
  const down = nearest(offers.y, preferred.y, tolerance) ?? nearest(offers.y, others.y, tolerance);
  const targets = preferred === NO_TARGETS ? others : joinTargets(preferred, others);
  const settle = (list: readonly Offer[], delta: number) =>
    list.map(({ at, role }) => ({ at: at + delta, role }));
  return {
    dx: across ?? 0,
    dy: down ?? 0,
    guides: [
      ...(across === null
        ? []
        : guidesFor('x', settle(offers.x, across), targets.x, reach.y, reach.y + reach.height)),
      ...(down === null
        ? []
        : guidesFor('y', settle(offers.y, down), targets.y, reach.x, reach.x + reach.width)),
    ],
  };
}

function nearest(offers: readonly Offer[], lines: readonly SnapLine[], tolerance: number): number | null {
  let best: number | null = null;
  let bestRank = 0;
  for (const line of lines) {
    for (const offer of offers) {
      if (offer.role !== line.role) continue;
      const delta = line.at - offer.at;
      const far = Math.abs(delta);
      if (far > tolerance) continue;
      const gain = best === null ? 1 : Math.abs(best) - far;
      if (gain > SAME || (Math.abs(gain) <= SAME && RANK[line.of] < bestRank)) {
        best = delta;
        bestRank = RANK[line.of];
      }
    }
  }
  return best;
}

function nearestGap(gaps: readonly EqualGap[], tolerance: number): EqualGap | null {
  let best: EqualGap | null = null;
  for (const gap of gaps) {
    if (Math.abs(gap.delta) <= tolerance && (best === null || Math.abs(gap.delta) < Math.abs(best.delta)))
      best = gap;
  }
  return best;
}

/** One guide per position, from the farthest of its lines to the moving box itself. */
function guidesFor(
  axis: 'x' | 'y',
  offers: readonly Offer[],
  lines: readonly SnapLine[],
  from: number,
  to: number,
): Guide[] {
  const guides: Guide[] = [];
  for (const offer of offers) {
    const met = lines.filter((line) => line.role === offer.role && Math.abs(line.at - offer.at) <= SAME);
    if (met.length === 0 || guides.some((guide) => Math.abs(guide.at - offer.at) <= SAME)) continue;
    guides.push({
      axis,
      kind: 'line',
      at: offer.at,
      from: Math.min(from, ...met.map((line) => line.from)),
      to: Math.max(to, ...met.map((line) => line.to)),
    });
  }
  return guides;
}
