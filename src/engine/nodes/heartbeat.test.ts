import { expect, test, vi } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { DatabaseClock } from '#lib/database-clock.ts';
import { systemIds } from '#lib/ids.ts';
import { listNodes } from '#storage/nodes.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { Heartbeat, isMissing } from './heartbeat.ts';
import { readClock } from './node-clock.ts';

const HOUR_MS = 3_600_000;

async function scene() {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-01-01T12:00:00Z');
  const start = (
    name: string,
    health: () => Promise<Record<string, string | undefined>> = async () => ({}),
    onError = (error: unknown): void => {
      throw error;
    },
  ) =>
    new Heartbeat({
      db,
      clock,
      databaseClock: new DatabaseClock(),
      node: {
        id: systemIds.uuid(),
        name,
        version: '1.2.3',
        role: 'worker',
        workers: 2,
        started_at: clock.now(),
      },
      running: () => 1,
      freeBytes: async () => 5_000_000_000,
      health,
      onError,
    });
  return { db, clock, start };
}

test('[OPS90] a heartbeat: writes one row per process, and the end of the process deletes it', async () => {
  const { db, clock, start } = await scene();
  const node = start('a:1', async () => ({ database: undefined, clock: '7 s ahead' }));
  await node.beat();
  clock.advance(10_000);
  await node.beat();
  expect(await listNodes(db)).toMatchObject([
    {
      name: 'a:1',
      version: '1.2.3',
      role: 'worker',
      heartbeat_at: clock.now(),
      workers: 2,
      running: 1,
      load: expect.any(Number),
      loop_delay_ms: expect.any(Number),
      free_bytes: 5_000_000_000,
      problems: ['clock: 7 s ahead'],
    },
  ]);
  await node.close();
  expect(await listNodes(db)).toEqual([]);
});

test('[OPS90] a killed process: is missing after 30 seconds, and its row is deleted after an hour', async () => {
  const { db, clock, start } = await scene();
  await start('killed:1').beat();
  const [killed] = await listNodes(db);
  if (killed === undefined) throw new Error('no row');
  clock.advance(30_000);
  expect(isMissing(killed, clock.now())).toBe(false);
  clock.advance(1);
  expect(isMissing(killed, clock.now())).toBe(true);
  clock.advance(HOUR_MS - 30_001);
  const other = start('other:1');
  await other.beat();
  expect((await listNodes(db)).map(({ name }) => name)).toEqual(['killed:1', 'other:1']);
  clock.advance(1);
  await other.beat();
  expect((await listNodes(db)).map(({ name }) => name)).toEqual(['other:1']);
});

test('[OPS90] a first heartbeat that fails: is reported, and the node starts', async () => {
  const { db, start } = await scene();
  const errors: unknown[] = [];
  const node = start(
    'a:1',
    () => Promise.reject(new Error('no connection')),
    (error) => void errors.push(error),
  );
  await node.start();
  expect(errors).toEqual([new Error('no connection')]);
  expect(await listNodes(db)).toEqual([]);
  await node.close();
});

test('[OPS90] a heartbeat that hangs when the process stops: delays the stop by two seconds at most', async () => {
  const { start } = await scene();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let beats = 0;
  const node = start('a:1', () => {
    beats += 1;
    return beats === 1 ? Promise.resolve({}) : new Promise(() => {});
  });
  await node.start();
  await vi.advanceTimersByTimeAsync(11_000);
  vi.useRealTimers();
  await expect.poll(() => beats).toBe(2);
  await node.close();
});

test('[OPS91] a slow response of the database: does not set the clock', async () => {
  const { db } = await openTestDatabase();
  let calls = 0;
  // Each reading of the monotonic clock is three seconds after the last one.
  const clock = new DatabaseClock({ wall: () => 0, monotonic: () => 3_000 * calls++ });
  const before = clock.skewMs;
  await readClock(db, clock);
  expect(Math.abs(clock.skewMs - before)).toBeLessThan(60_000);
});
