import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { type Box, boundsOf } from '../../core/geometry/box.ts';
import { quantise } from '../../core/geometry/quantise.ts';
import { type Rect, unionOf } from '../../core/geometry/rect.ts';
import { findOverlays } from '../../core/overlays/find-overlays.ts';
import { nameFields, patchOverlays, withMembers } from '../../core/overlays/patch-overlays.ts';
import { findPage, toPage } from '../../core/pages/page-column.ts';
import { type Offer, snapEdges } from '../../core/snapping/snap.ts';
import { NO_TARGETS } from '../../core/snapping/snap-lines.ts';
import { type Handle, pullOf, resized, scaledInto } from '../../core/transform/resize.ts';
import { type Gesture, type GestureHost, type Pointer, snapTolerance } from './gesture.ts';

/** Resizes the selection by a handle of its frame. Shift keeps the proportions, Alt turns the guides off. */
export function startResizing(
  host: GestureHost,
  start: Pointer,
  handle: Handle,
  toIdle: () => Gesture,
): Gesture | null {
  const committed = host.layout();
  const ids = host.selection().filter((id) => !host.isLocked(id));
  const overlays = findOverlays(committed, ids);
  const [first] = overlays;
  const group = unionOf(overlays.map(boundsOf));
  if (first === undefined || group === null || overlays.some(({ page }) => page !== first.page)) return null;
  const frame: Box = overlays.length === 1 ? first : { ...group, rotation: 0 };
  const targets = frame.rotation === 0 ? host.snapTargets(first.page, ids) : NO_TARGETS;
  const sheet = findPage(host.column(), first.page);
  const preferredAt = (pointer: Pointer) =>
    sheet === undefined || frame.rotation !== 0
      ? NO_TARGETS
      : host.preferredTargets(sheet.number, toPage(sheet, pointer.at));
  let result: Layout = committed;

  const drag = (pointer: Pointer): void => {
    const delta = { x: pointer.at.x - start.at.x, y: pointer.at.y - start.at.y };
    const rough = resized(frame, handle, delta, pointer.shift);
    const snapped =
      pointer.alt || pointer.shift
        ? { dx: 0, dy: 0, guides: [] }
        : snapEdges(offersOf(rough, handle), rough, targets, snapTolerance(host), preferredAt(pointer));
    const settled = resized(
      frame,
      handle,
      { x: delta.x + snapped.dx, y: delta.y + snapped.dy },
      pointer.shift,
    );
    result = patchOverlays(committed, ids, (overlay) =>
      fitted(overlay, frame, settled, overlays.length === 1),
    );
    host.showGuides(first.page, snapped.guides);
    host.draft(result);
  };

  const self: Gesture = {
    name: 'resizing',
    move: (pointer) => {
      drag(pointer);
      return self;
    },
    up: () => {
      host.showGuides(first.page, []);
      host.change(`Resize ${nameFields(committed, ids)}`, () => result);
      return toIdle();
    },
    cancel: () => {
      host.showGuides(first.page, []);
      host.draft(null);
      return toIdle();
    },
  };
  return self;
}

function fitted(overlay: Overlay, frame: Rect, settled: Box, alone: boolean): Overlay {
  const { x, y, width, height } = alone ? settled : scaledInto(overlay, frame, settled);
  return withMembers(overlay, {
    x: quantise(x),
    y: quantise(y),
    width: quantise(width),
    height: quantise(height),
  });
}

/** Only the edges that the handle moves can snap. */
function offersOf({ x, y, width, height }: Rect, handle: Handle): { x: Offer[]; y: Offer[] } {
  const pull = pullOf(handle);
  const edge = (at: number): Offer[] => [{ at, role: 'edge' }];
  return {
    x: pull.x === 0 ? [] : edge(pull.x < 0 ? x : x + width),
    y: pull.y === 0 ? [] : edge(pull.y < 0 ? y : y + height),
  };
}
