import { between, intersects, type Point } from '../../core/geometry/rect.ts';
import { overlaysOn } from '../../core/overlays/find-overlays.ts';
import { touchedBy } from '../../core/overlays/hit-test.ts';
import { toPage } from '../../core/pages/page-column.ts';
import { CLICK_PIXELS, type Gesture, type GestureHost, type Pointer } from './gesture.ts';

/** Draws a rectangle over the pages and selects what it touches; Shift adds to the selection. */
export function startMarquee(host: GestureHost, start: Pointer, toIdle: () => Gesture): Gesture {
  const before = host.selection();
  const self: Gesture = {
    name: 'marquee',
    move: (pointer) => {
      host.showMarquee(between(start.at, pointer.at));
      host.select(touched(host, start, pointer.at, before));
      return self;
    },
    up: (pointer) => {
      host.showMarquee(null);
      const far = Math.hypot(pointer.client.x - start.client.x, pointer.client.y - start.client.y);
      if (far <= CLICK_PIXELS && !start.shift) host.select([]);
      return toIdle();
    },
    cancel: () => {
      host.showMarquee(null);
      host.select(before);
      return toIdle();
    },
  };
  return self;
}

function touched(
  host: GestureHost,
  start: Pointer,
  end: Point,
  before: readonly string[],
): readonly string[] {
  const marquee = between(start.at, end);
  const hits = host.column().pages.flatMap((page) => {
    if (!intersects(page, marquee)) return [];
    const onPage = { ...marquee, ...toPage(page, marquee) };
    return touchedBy(overlaysOn(host.layout(), page.number), onPage).map(({ id }) => id);
  });
  return start.shift ? [...new Set([...before, ...hits])] : hits;
}
