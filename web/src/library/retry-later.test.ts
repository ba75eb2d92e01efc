import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RetryLater } from './retry-later.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('[EDT213] failures: are reported as the first one once, and retried after twice the wait each time', () => {
  const firsts: boolean[] = [];
  let attempts = 0;
  const retry = new RetryLater(
    (isFirst) => firsts.push(isFirst),
    () => {
      attempts += 1;
    },
  );
  retry.now();
  expect(attempts).toBe(0);
  retry.failed();
  vi.advanceTimersByTime(4_999);
  expect(attempts).toBe(0);
  vi.advanceTimersByTime(1);
  expect(attempts).toBe(1);
  retry.failed();
  vi.advanceTimersByTime(9_999);
  expect(attempts).toBe(1);
  vi.advanceTimersByTime(1);
  expect(attempts).toBe(2);
  for (let failure = 0; failure < 30; failure += 1) retry.failed();
  vi.advanceTimersByTime(300_000);
  expect(attempts).toBe(3);
  retry.failed();
  retry.now();
  expect(attempts).toBe(4);
  retry.succeeded();
  vi.advanceTimersByTime(600_000);
  expect(attempts).toBe(4);
  retry.failed();
  expect(firsts.filter(Boolean)).toHaveLength(2);
  expect([firsts[0], firsts.at(-1)]).toEqual([true, true]);
});
