import type { Gesture, GestureHost } from './gesture.ts';
import { startGuiding } from './guiding.ts';
import { startMarquee } from './marquee.ts';
import { startPanning } from './panning.ts';
import { startPlacing } from './placing.ts';
import { startPressing } from './pressing.ts';
import { startResizing } from './resizing.ts';
import { startRotating } from './rotating.ts';

/** Nothing is pressed. The tool and the element under the pointer decide which gesture a press starts. */
export function idle(host: GestureHost): Gesture {
  const self: Gesture = {
    name: 'idle',
    cancel: () => self,
    down: (pointer, target) => {
      const tool = host.tool();
      const toIdle = () => idle(host);
      if (target.on === 'ruler') return startGuiding(host, pointer, target.axis, null, toIdle);
      if (pointer.pans || tool === 'pan') return startPanning(host, pointer, toIdle);
      if (tool !== 'select') return startPlacing(host, pointer, tool, toIdle) ?? self;
      if (target.on === 'handle')
        return target.handle === 'rotate'
          ? (startRotating(host, toIdle) ?? self)
          : (startResizing(host, pointer, target.handle, toIdle) ?? self);
      if (target.on === 'guide') {
        const axis = host.guides()[target.index]?.axis;
        return axis === undefined ? self : startGuiding(host, pointer, axis, target.index, toIdle);
      }
      if (target.on === 'overlay') return startPressing(host, pointer, target.id, toIdle);
      return startMarquee(host, pointer, toIdle);
    },
  };
  return self;
}
