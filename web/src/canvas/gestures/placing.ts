import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import { between, contains, type Rect } from '../../core/geometry/rect.ts';
import { addOverlays, newOverlay, sizeOfNew } from '../../core/overlays/new-overlay.ts';
import { pageAtHeight, toPage } from '../../core/pages/page-column.ts';
import { snapEdges } from '../../core/snapping/snap.ts';
import { LEAST_EXTENT } from '../../core/transform/resize.ts';
import { TOOLS } from '../../kinds/tools.ts';
import { CLICK_PIXELS, type Gesture, type GestureHost, type Pointer, snapTolerance } from './gesture.ts';

/** Creates an overlay: a drag draws its box, a click uses the default size. Both corners snap to guides. */
export function startPlacing(
  host: GestureHost,
  start: Pointer,
  kind: OverlayType,
  toIdle: () => Gesture,
): Gesture | null {
  const page = pageAtHeight(host.column(), start.at.y);
  if (page === undefined || !contains(page, start.at)) return null;
  const committed = host.layout();
  const targets = host.snapTargets(page.number, []);
  const corner = (pointer: Pointer) => {
    const at = toPage(page, pointer.at);
    if (pointer.alt) return at;
    const offers = { x: [{ at: at.x, role: 'edge' as const }], y: [{ at: at.y, role: 'edge' as const }] };
    const { dx, dy, guides } = snapEdges(
      offers,
      { ...at, width: 0, height: 0 },
      targets,
      snapTolerance(host),
      host.preferredTargets(page.number, at),
    );
    host.showGuides(page.number, guides);
    return { x: at.x + dx, y: at.y + dy };
  };
  const first = corner(start);
  const samples = host.rowSamples();
  const make = (box: Rect, size: Pick<Rect, 'width' | 'height'>) =>
    newOverlay(committed, kind, { page: page.number, x: box.x, y: box.y }, { size, samples });
  const isClick = ({ client }: Pointer) =>
    Math.hypot(client.x - start.client.x, client.y - start.client.y) <= CLICK_PIXELS;
  const boxTo = (pointer: Pointer): Rect => {
    const box = between(first, corner(pointer));
    const side = Math.max(box.width, box.height);
    const drawn = pointer.shift ? { ...box, width: side, height: side } : box;
    return {
      ...drawn,
      width: Math.max(LEAST_EXTENT, drawn.width),
      height: Math.max(LEAST_EXTENT, drawn.height),
    };
  };
  /** A mark takes the printed box under the pointer. Alt ignores it, like all guides. */
  const clicked = (): Rect => {
    const box =
      kind === 'check' && !start.alt
        ? host.tickBox(page.number, toPage(page, start.at), snapTolerance(host) / 2)
        : null;
    return box ?? { ...first, ...sizeOfNew(committed, kind) };
  };
  const self: Gesture = {
    name: 'placing',
    move: (pointer) => {
      if (isClick(pointer)) return self;
      const box = boxTo(pointer);
      host.draft(addOverlays(committed, [make(box, box)]));
      return self;
    },
    up: (pointer) => {
      const box = isClick(pointer) ? clicked() : boxTo(pointer);
      const overlay = make(box, box);
      host.showGuides(page.number, []);
      host.change(`Add ${TOOLS[kind].name.toLowerCase()}`, (layout) => addOverlays(layout, [overlay]), [
        overlay.id,
      ]);
      host.finishTool();
      host.focusOverlay(overlay.id);
      return toIdle();
    },
    cancel: () => {
      host.showGuides(page.number, []);
      host.draft(null);
      host.finishTool();
      return toIdle();
    },
  };
  return self;
}
