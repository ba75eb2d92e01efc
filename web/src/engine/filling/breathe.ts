/**
 * Yields to the event loop between two pieces of work, so that messages such as a cancellation arrive. A message to
 * oneself arrives at once; a timer would take 4 ms.
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

/** Maximum duration of one piece of work. */
export const STRETCH_MS = 40;
