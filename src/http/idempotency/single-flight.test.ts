import { afterEach, expect, test, vi } from 'vitest';

import { SingleFlight, TooLong, withinWait } from './single-flight.ts';

afterEach(() => void vi.useRealTimers());

test('[ING10] a second request under a running key: waits, and runs when the first one has failed', async () => {
  const flights = new SingleFlight();
  const { promise, reject } = Promise.withResolvers<never>();
  const first = flights.run('k', () => promise);
  expect(await flights.waitFor('other', 10)).toBe(false);
  const waiting = flights.waitFor('k', 60_000);
  reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  expect(await waiting).toBe(true);
  expect(await flights.waitFor('k', 10)).toBe(false);
  expect(await flights.run('k', async () => 2)).toBe(2);
});

test('[ING10] a wait beyond its limit: rejected with TooLong', async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = flights.run('k', () => promise);
  const late = expect(flights.waitFor('k', 10_000)).rejects.toThrow(TooLong);
  await vi.advanceTimersByTimeAsync(10_000);
  await late;
  resolve();
  await first;
});

test('[ING10] a request that another node blocks for ten seconds: rejected, and ends without effect', async () => {
  vi.useFakeTimers();
  const turn = Promise.withResolvers<void>();
  const effects: string[] = [];
  const attempt = withinWait(10_000, async (started) => {
    await turn.promise;
    started();
    effects.push('ran');
  });
  const refused = expect(attempt).rejects.toThrow(TooLong);
  await vi.advanceTimersByTimeAsync(10_000);
  await refused;
  turn.resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(effects).toEqual([]);
  const long = withinWait(10_000, async (started) => {
    started();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    return 'done';
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await long).toBe('done');
});
