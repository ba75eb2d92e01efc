import { groupMates } from '../../core/overlays/choice-groups.ts';
import { findOverlay } from '../../core/overlays/find-overlays.ts';
import { CLICK_PIXELS, type Gesture, type GestureHost, type Pointer } from './gesture.ts';
import { startMoving } from './moving.ts';

/**
 * An overlay is pressed: this becomes a click or a drag. The selection changes at once if that is safe; a click on one of
 * several selected overlays waits for the release, because it may start a drag of all.
 */
export function startPressing(host: GestureHost, start: Pointer, id: string, toIdle: () => Gesture): Gesture {
  const before = host.selection();
  const wasSelected = before.includes(id);
  // A box of a choice group stands for its group; Alt, or a second click, chooses the box alone.
  const mates = groupMates(host.layout(), id);
  const wanted = start.alt ? [id] : mates;
  if (!wasSelected) host.select(start.shift ? [...before, ...wanted] : wanted);
  host.focusOverlay(id);
  const self: Gesture = {
    name: 'pressing',
    cancel: toIdle,
    move: (pointer) => {
      const far = Math.hypot(pointer.client.x - start.client.x, pointer.client.y - start.client.y);
      if (far <= CLICK_PIXELS) return self;
      const page = findOverlay(host.layout(), id)?.page;
      const moving = page === undefined ? null : startMoving(host, start, page, toIdle);
      return moving?.move?.(pointer) ?? self;
    },
    up: () => {
      const isGroup = before.length === mates.length && mates.every((mate) => before.includes(mate));
      if (wasSelected && start.shift) host.select(before.filter((other) => !wanted.includes(other)));
      else if (wasSelected && before.length > 1) host.select(isGroup ? [id] : wanted);
      return toIdle();
    },
  };
  return self;
}
