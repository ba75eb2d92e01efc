import { quantise } from '../geometry/quantise.ts';
import type { Point } from '../geometry/rect.ts';
import { formatLength, type Unit } from '../geometry/units.ts';
import { type PageColumn, pageAtHeight, toPage } from '../pages/page-column.ts';
import { NO_TARGETS, type SnapLine, type SnapRole, type SnapTargets } from '../snapping/snap-lines.ts';

/** A line that a user put on a page. `axis` x: a vertical line at the x `at`, in points of the page. */
export interface RulerGuide {
  readonly page: number;
  readonly axis: 'x' | 'y';
  readonly at: number;
}

export const NO_GUIDES: readonly RulerGuide[] = [];

const MILLIMETRE = 72 / 25.4;
/** A dragged guide rests on whole steps of the unit. */
const DRAG_STEP: Readonly<Record<Unit, number>> = { pt: 1, mm: MILLIMETRE / 2, in: 72 / 32 };
/** How far an arrow key moves a guide. */
const KEY_STEP: Readonly<Record<Unit, number>> = { pt: 1, mm: MILLIMETRE, in: 72 / 16 };

const rounded = (at: number, step: number): number => quantise(Math.round(at / step) * step);

/** The guide at a point of the column, or null beside the pages. `free` keeps the exact place. */
export function guideAt(
  column: PageColumn,
  axis: 'x' | 'y',
  point: Point,
  unit: Unit,
  free = false,
): RulerGuide | null {
  const page = pageAtHeight(column, point.y);
  if (page === undefined) return null;
  const place = toPage(page, point)[axis];
  const room = axis === 'x' ? page.width : page.height;
  if (place < 0 || place > room) return null;
  const at = free ? quantise(place) : rounded(place, DRAG_STEP[unit]);
  return { page: page.number, axis, at: Math.min(room, at) };
}

/** Moves a guide by arrow keys, `steps` may be negative. It stays on its page. */
export function steppedGuide(guide: RulerGuide, steps: number, unit: Unit, room: number): RulerGuide {
  const at = rounded(guide.at + steps * KEY_STEP[unit], KEY_STEP[unit]);
  return { ...guide, at: Math.max(0, Math.min(room, at)) };
}

/** `Vertical guide at 72 pt on page 1`. */
export function guideWords({ axis, at, page }: RulerGuide, unit: Unit): string {
  return `${axis === 'x' ? 'Vertical' : 'Horizontal'} guide at ${formatLength(at, unit)} ${unit} on page ${page}`;
}

const ROLES: readonly SnapRole[] = ['edge', 'centre', 'baseline'];

/** A guide attracts edges, centres and baselines. */
export function targetsOfGuides(
  guides: readonly RulerGuide[],
  page: { readonly number: number; readonly width: number; readonly height: number },
): SnapTargets {
  const here = guides.filter((guide) => guide.page === page.number);
  if (here.length === 0) return NO_TARGETS;
  const lines = (axis: 'x' | 'y', to: number): SnapLine[] =>
    here
      .filter((guide) => guide.axis === axis)
      .flatMap(({ at }) => ROLES.map((role) => ({ at, role, of: 'guide', from: 0, to })));
  return { x: lines('x', page.height), y: lines('y', page.width), boxes: [] };
}
