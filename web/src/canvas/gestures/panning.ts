import type { Gesture, GestureHost, Pointer } from './gesture.ts';

/** Scrolls the pages with the pointer. */
export function startPanning(host: GestureHost, start: Pointer, toIdle: () => Gesture): Gesture {
  let last = start.client;
  const self: Gesture = {
    name: 'panning',
    move: ({ client }) => {
      host.scrollBy({ x: last.x - client.x, y: last.y - client.y });
      last = client;
      return self;
    },
    up: toIdle,
    cancel: toIdle,
  };
  return self;
}
