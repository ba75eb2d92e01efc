import { expect, onTestFinished, test } from 'vitest';
import { ManualClock, systemClock } from '#lib/clock.ts';
import { openDatabase } from '#storage/database.ts';
import { deletePassedWindows } from '#storage/limits/rate-limit-store.ts';
import { createDatabase, openTestDatabase } from '../../../test/support/database.ts';
import { RateLimits } from './rate-limits.ts';

const ACCOUNT = '019a0000-0000-7000-8000-000000000001';
const OTHER = '019a0000-0000-7000-8000-000000000002';
const START = '2030-01-01T00:00:00Z';

async function passed(verdicts: Promise<{ ok: boolean }>[]): Promise<number> {
  return (await Promise.all(verdicts)).filter(({ ok }) => ok).length;
}

test('[LIM1] 300 concurrent requests on two nodes: exactly 120 pass', async () => {
  const address = await createDatabase();
  const nodes = [0, 1].map(() => {
    const database = openDatabase(address, 10, () => {});
    onTestFinished(() => database.close());
    return new RateLimits(database.pool, systemClock, { create: { requests: 120, seconds: 60 } });
  });
  const requests = Array.from(
    { length: 300 },
    (_, i) => nodes[i % 2]?.take('create', ACCOUNT) ?? Promise.reject(),
  );
  expect(await passed(requests)).toBe(120);
});

test('[LIM1] a window: starts with its first request and ends a minute later; rejections say when', async () => {
  const { db, pool } = await openTestDatabase();
  const clock = new ManualClock(START);
  const limits = new RateLimits(pool, clock, { read: { requests: 2, seconds: 60 } });
  expect(await limits.take('read', ACCOUNT)).toEqual({ ok: true });
  clock.advance(45_000);
  expect(await limits.take('read', ACCOUNT)).toEqual({ ok: true });
  expect(await limits.take('read', ACCOUNT)).toEqual({ ok: false, retryAfterSeconds: 15 });
  clock.advance(14_000);
  expect(await limits.take('read', ACCOUNT)).toEqual({ ok: false, retryAfterSeconds: 1 });
  expect(await deletePassedWindows(db, clock.now(), 100)).toBe(0);
  clock.advance(1_000);
  expect(await limits.take('read', ACCOUNT)).toEqual({ ok: true });
  clock.advance(61_000);
  expect(await deletePassedWindows(db, clock.now(), 100)).toBe(1);
});

test('[LIM2] limits: counted separately by name and account; 0 means no limit', async () => {
  const { pool } = await openTestDatabase();
  const one = { requests: 1, seconds: 60 };
  const limits = new RateLimits(pool, systemClock, { a: one, b: one, free: { requests: 0, seconds: 60 } });
  expect(await passed([limits.take('a', ACCOUNT), limits.take('a', ACCOUNT)])).toBe(1);
  expect(await passed([limits.take('b', ACCOUNT), limits.take('a', OTHER)])).toBe(2);
  expect(await passed(Array.from({ length: 50 }, () => limits.take('free', ACCOUNT)))).toBe(50);
});

test('[LIM3] the database is unavailable: each process counts for itself', async () => {
  const database = openDatabase({ host: '/nowhere', database: 'x', user: 'x' }, 2, () => {});
  onTestFinished(() => database.close());
  const limits = new RateLimits(database.pool, systemClock, { create: { requests: 3, seconds: 60 } });
  expect(await passed(Array.from({ length: 10 }, () => limits.take('create', ACCOUNT)))).toBe(3);
});
