import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RetryLater } from './retry-later.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('[EDT213] failures: are reported until something succeeds, and retried after twice the wait each time', () => {
  let reports = 0;
  let attempts = 0;
  const retry = new RetryLater(
    () => {
      reports += 1;
    },
    () => {
      attempts += 1;
    },
  );
  retry.now();
  retry.report();
  expect([attempts, reports]).toEqual([0, 0]);
  retry.failed();
  retry.report();
  expect(reports).toBe(2);
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
  const before = reports;
  retry.report();
  expect(reports).toBe(before);
});
