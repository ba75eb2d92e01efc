import { useSyncExternalStore } from 'react';
import { formatAgo, formatExact } from './format.ts';

/** One clock for all times on the page; it ticks only while something subscribes to it. */
const TICK_MS = 5_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = new Date();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = new Date();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time of the last tick. */
export function useNow(): Date {
  return useSyncExternalStore(listen, () => now);
}

export function Time({ at, none = '–' }: { at: string | null | undefined; none?: string }) {
  const tick = useNow();
  if (at === null || at === undefined) return <span>{none}</span>;
  const time = new Date(at);
  // Between two ticks the page's clock is behind; a new row must be "just now", not "in 3 s".
  const reference = time > tick && time.getTime() - tick.getTime() < TICK_MS * 2 ? new Date() : tick;
  return (
    <time dateTime={at} title={formatExact(time)}>
      {formatAgo(time, reference)}
    </time>
  );
}
