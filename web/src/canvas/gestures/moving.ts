import type { Layout } from '#fill/package/layout-schema.ts';
import { boundsOf } from '../../core/geometry/box.ts';
import { quantise } from '../../core/geometry/quantise.ts';
import { contains, type Point, shifted, unionOf } from '../../core/geometry/rect.ts';
import { findOverlays } from '../../core/overlays/find-overlays.ts';
import { placedOn } from '../../core/overlays/new-table.ts';
import { nameFields, patchOverlays, withMembers } from '../../core/overlays/patch-overlays.ts';
import { baselineIn } from '../../core/overlays/text-baseline.ts';
import { findPage, pageAtHeight, toPage } from '../../core/pages/page-column.ts';
import { snapBox } from '../../core/snapping/snap.ts';
import { type Gesture, type GestureHost, type Pointer, snapTolerance } from './gesture.ts';

/**
 * Moves the selected overlays with the pointer. If all of them are on one page, they move to the page under the pointer; a
 * selection across pages stays on its pages. Shift constrains the drag to one axis, Alt turns the guides off.
 */
export function startMoving(
  host: GestureHost,
  start: Pointer,
  pressedPage: number,
  toIdle: () => Gesture,
): Gesture | null {
  const committed = host.layout();
  const ids = host.selection().filter((id) => !host.isLocked(id));
  const overlays = findOverlays(committed, ids);
  const sameSheet = overlays.every(({ page }) => page === pressedPage);
  const frame = unionOf(overlays.filter(({ page }) => page === pressedPage).map(boundsOf));
  const home = findPage(host.column(), pressedPage);
  if (frame === null || home === undefined) return null;
  const [only] = overlays;
  const baseline = overlays.length === 1 && only !== undefined ? baselineIn(only) : undefined;
  const isMark = overlays.length === 1 && only?.type === 'check';
  let moved: Layout = committed;
  // Lines are collected once per page and gesture, because the other overlays do not move.
  const targets = new Map<number, ReturnType<GestureHost['snapTargets']>>();
  const targetsOf = (page: number) => {
    const known = targets.get(page) ?? host.snapTargets(page, ids);
    targets.set(page, known);
    return known;
  };

  const drag = (pointer: Pointer): void => {
    const delta = constrained({ x: pointer.at.x - start.at.x, y: pointer.at.y - start.at.y }, pointer.shift);
    const over = sameSheet ? pageAtHeight(host.column(), pointer.at.y) : undefined;
    const sheet = over !== undefined && contains(over, pointer.at) ? over : home;
    const onSheet = { x: delta.x + home.x - sheet.x, y: delta.y + home.y - sheet.y };
    const box = shifted(frame, onSheet);
    const snapped = pointer.alt
      ? { dx: 0, dy: 0, guides: [] }
      : snapBox(box, targetsOf(sheet.number), snapTolerance(host), {
          baseline: baseline === undefined ? undefined : box.y + baseline,
          preferred: host.preferredTargets(sheet.number, toPage(sheet, pointer.at), isMark),
        });
    // Snapping must not pull a constrained drag off its axis.
    const held = pointer.shift ? (delta.x === 0 ? { dx: 0 } : { dy: 0 }) : {};
    const { dx, dy } = { ...snapped, ...held };
    moved = patchOverlays(committed, ids, (overlay) =>
      withMembers(overlay, {
        ...placedOn(overlay, sameSheet ? sheet.number : overlay.page),
        x: quantise(overlay.x + onSheet.x + dx),
        y: quantise(overlay.y + onSheet.y + dy),
      }),
    );
    host.showGuides(sheet.number, snapped.guides);
    host.draft(moved);
  };

  const self: Gesture = {
    name: 'moving',
    move: (pointer) => {
      drag(pointer);
      return self;
    },
    up: () => {
      host.showGuides(pressedPage, []);
      host.change(`Move ${nameFields(committed, ids)}`, () => moved);
      return toIdle();
    },
    cancel: () => {
      host.showGuides(pressedPage, []);
      host.draft(null);
      return toIdle();
    },
  };
  return self;
}

function constrained({ x, y }: Point, shift: boolean): Point {
  if (!shift) return { x, y };
  return Math.abs(x) >= Math.abs(y) ? { x, y: 0 } : { x: 0, y };
}
