import type { Layout } from '#fill/package/layout-schema.ts';
import { quantiseAngle } from '../../core/geometry/quantise.ts';
import { centreOf } from '../../core/geometry/rect.ts';
import { findOverlays } from '../../core/overlays/find-overlays.ts';
import { nameFields, patchOverlays, withMembers } from '../../core/overlays/patch-overlays.ts';
import { findPage, toColumn } from '../../core/pages/page-column.ts';
import { angleTo, settledAngle } from '../../core/transform/rotate.ts';
import type { Gesture, GestureHost } from './gesture.ts';

/** Rotates the one selected overlay about its centre. Shift rotates in steps; quarter turns snap unless Alt is down. */
export function startRotating(host: GestureHost, toIdle: () => Gesture): Gesture | null {
  const committed = host.layout();
  const ids = host.selection().filter((id) => !host.isLocked(id));
  const [overlay] = findOverlays(committed, ids);
  const page = overlay === undefined ? undefined : findPage(host.column(), overlay.page);
  if (overlay === undefined || page === undefined || ids.length !== 1) return null;
  const centre = toColumn(page, centreOf(overlay));
  let result: Layout = committed;
  const self: Gesture = {
    name: 'rotating',
    move: ({ at, shift, alt }) => {
      const rotation = quantiseAngle(settledAngle(angleTo(centre, at), { steps: shift, free: alt }));
      result = patchOverlays(committed, ids, (one) => withMembers(one, { rotation }));
      host.draft(result);
      return self;
    },
    up: () => {
      host.change(`Rotate ${nameFields(committed, ids)}`, () => result);
      return toIdle();
    },
    cancel: () => {
      host.draft(null);
      return toIdle();
    },
  };
  return self;
}
