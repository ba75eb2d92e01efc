import type pg from 'pg';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { rateLimitStore } from './rate-limit-store.ts';

test('[LIM1] the library reads the time late: the window keeps its length', async () => {
  const clock = new ManualClock('2030-01-01T00:00:00Z');
  const here = clock.now().getTime();
  const sent: unknown[][] = [];
  const pool = {
    query: async (_text: string, values: unknown[]) => {
      sent.push(values);
      return { rows: [{ points: 1, expire: values[2] }] };
    },
  } as unknown as pg.Pool;
  const read = Date.now() - 7;
  const { rows } = await rateLimitStore(pool, clock).query({
    text: '',
    values: ['key', 1, read + 60_000, read + 3],
  });
  expect(sent).toEqual([['key', 1, here + 60_000, here]]);
  // The returned expiry is on the library's clock.
  expect(rows[0]?.expire).toBeGreaterThanOrEqual(read + 60_000);
  expect(rows[0]?.expire).toBeLessThanOrEqual(Date.now() + 60_000);
});
