const BASE_MS = 250;
const LONGEST_MS = 20_000;

/** Delay before retry number `retry` (from 0): doubles, with jitter so that clients do not return at the same moment. */
export function backOffMs(retry: number): number {
  return Math.min(BASE_MS * 2 ** retry, LONGEST_MS) * (0.5 + Math.random() / 2);
}

/** Waits, or rejects with the reason of the signal. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
