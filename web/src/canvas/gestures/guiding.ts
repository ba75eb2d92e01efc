import { guideAt } from '../../core/guides/ruler-guides.ts';
import { CLICK_PIXELS, type Gesture, type GestureHost, type Pointer } from './gesture.ts';

/**
 * Drags a guide: a new one from a ruler (`index` null), or one of the page. Released over a ruler or beside the pages, it is
 * removed. Alt keeps the exact place instead of a whole step of the unit.
 */
export function startGuiding(
  host: GestureHost,
  start: Pointer,
  axis: 'x' | 'y',
  index: number | null,
  toIdle: () => Gesture,
): Gesture {
  const before = host.guides();
  const place = index ?? before.length;
  let wasMoved = false;
  const follow = (pointer: Pointer) => {
    const guide = host.isOverRuler(pointer.client)
      ? null
      : guideAt(host.column(), axis, pointer.at, host.unit(), pointer.alt);
    const removed = index === null ? 0 : 1;
    host.setGuides(before.toSpliced(place, removed, ...(guide === null ? [] : [guide])));
  };
  const self: Gesture = {
    name: 'guiding',
    move: (pointer) => {
      const far = Math.hypot(pointer.client.x - start.client.x, pointer.client.y - start.client.y);
      wasMoved ||= far > CLICK_PIXELS;
      if (wasMoved) follow(pointer);
      return self;
    },
    up: () => {
      host.focusGuide(place);
      return toIdle();
    },
    cancel: () => {
      host.setGuides(before);
      return toIdle();
    },
  };
  return self;
}
