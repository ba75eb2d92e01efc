import { expect, test } from 'vitest';
import { DatabaseClock } from '#lib/database-clock.ts';
import { openDatabase } from '#storage/database.ts';
import { FreeSpace } from '#storage/free-space.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { startTestEngine } from '../../test/support/engine.ts';
import { readClock } from './nodes/node-clock.ts';
import { createGauges, createHealth } from './observe.ts';

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
const blobs = { identity: async () => 'a store' };
const services = { outages: [] };
const clock = new DatabaseClock();
const space = new FreeSpace([], 0);

test('[OPS2] a migrated database and a readable blob store: healthy', async () => {
  const { db, writes } = await openTestDatabase();
  expect(await createHealth({ db, writes, blobs, services, clock, space })()).toEqual({});
});

test('[OPS2] pending migrations, an unreadable store, no database: each is named', async () => {
  const database = await openTestDatabase();
  await database.pool.query('delete from kysely_migration');
  const broken = {
    identity: async () => {
      throw new Error('EIO');
    },
  };
  expect(
    await createHealth({ db: database.db, writes: database.writes, blobs: broken, services, clock, space })(),
  ).toEqual({
    migrations: expect.stringMatching(/^\d+ to run: 0001-engine/),
    blobs: 'cannot be read',
  });
  const away = openDatabase({ host: '/nowhere', database: 'x', user: 'x' }, 2, () => {});
  expect(await createHealth({ db: away.db, writes: away.writes, blobs, services, clock, space })()).toEqual({
    database: 'does not respond',
    migrations: 'unknown',
  });
  await away.close();
});

test('[OPS2] a database that responds but confirms no write in time: names what can be the cause', async () => {
  const { db } = await openTestDatabase();
  const writes = { confirm: () => Promise.reject(new Error('no confirmation')) };
  expect(await createHealth({ db, writes, blobs, services, clock, space })()).toEqual({
    database:
      'does not confirm writes; check its disk, its number of connections and, if it has one, its synchronous standby',
  });
});

test('[JOB22] [OPS92] [BLB42] an outage of the store, a clock that differs by hours, a full disk: each is named', async () => {
  const { db, writes } = await openTestDatabase();
  const outages = [{ service: 'blobs' as const, since: new Date() }];
  const ahead = new DatabaseClock({ wall: () => Date.now() + HOUR_MS, monotonic: () => performance.now() });
  await readClock(db, ahead);
  const full = new FreeSpace(['.'], MIB, async () => ({ freeBytes: MIB - 1, totalBytes: 2 * MIB }));
  expect(
    await createHealth({ db, writes, blobs, services: { outages }, clock: ahead, space: full })(),
  ).toEqual({
    blobs: 'cannot be used',
    clock: expect.stringMatching(/^3600\.\d s ahead of the database's; at most 5 s are allowed$/),
    disk: '1048575 free bytes; ROWPRESS_MIN_FREE_BYTES is 1048576',
  });
});

test('[OPS3] gauges: open jobs, depth and age of each queue, pending webhooks', async () => {
  const { parts } = await startTestEngine();
  const samples = await createGauges({
    db: parts.database.db,
    clock: parts.clock,
    surfaces: [],
    keyWarningDays: [],
  })();
  const told = samples.map(({ name, labels, value }) => [name, Object.values(labels).join(), value]);
  expect(told).toEqual([
    ['rowpress_queue_depth', 'slice', 0],
    ['rowpress_queue_age_seconds', 'slice', 0],
    ['rowpress_queue_depth', 'settle', 0],
    ['rowpress_queue_age_seconds', 'settle', 0],
    ['rowpress_queue_depth', 'webhook', 0],
    ['rowpress_queue_age_seconds', 'webhook', 0],
    ['rowpress_webhooks_pending', '', 0],
  ]);
});
