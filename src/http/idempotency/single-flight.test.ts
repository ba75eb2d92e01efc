import { afterEach, expect, test, vi } from 'vitest';

import { SingleFlight, TooLong, withinWait } from './single-flight.ts';

afterEach(() => void vi.useRealTimers());

test('[ING10] a second request under a running key: waits, and can run when the first one has failed', async () => {
  const flights = new SingleFlight();
  const { promise, reject } = Promise.withResolvers<never>();
  const first = flights.runOrWait('k', 10, () => promise);
  expect(await flights.runOrWait('other', 10, async () => 1)).toEqual({ value: 1 });
  const waiting = flights.runOrWait('k', 60_000, async () => 2);
  reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  expect(await waiting).toBeUndefined();
  expect(await flights.runOrWait('k', 10, async () => 3)).toEqual({ value: 3 });
});

test('[ING10] two requests in the same tick: one runs, the other waits', async () => {
  const flights = new SingleFlight();
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const both = await Promise.all([
    flights.runOrWait('k', 10_000, work),
    flights.runOrWait('k', 10_000, work),
  ]);
  expect(both).toEqual([{ value: undefined }, undefined]);
  expect(runs).toBe(1);
});

test('[ING10] a wait beyond its limit: rejected with TooLong', async () => {
  vi.useFakeTimers();
  const flights = new SingleFlight();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = flights.runOrWait('k', 10, () => promise);
  const late = expect(flights.runOrWait('k', 10_000, async () => {})).rejects.toThrow(TooLong);
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
