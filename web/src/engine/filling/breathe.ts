/**
 * Yields to the event loop between two stretches of work, so that messages such as a stop arrive. A message to oneself comes back at
 * once; a timer would wait its 4 ms.
 */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port1.onmessage = () => waiting.shift()?.();

export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port2.postMessage(null);
  });
}

/** How long one stretch may last. */
export const STRETCH_MS = 40;
