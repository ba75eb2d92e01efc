import { expect, test } from 'vitest';
import { openDatabase } from '#storage/database.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { startTestEngine } from '../../test/support/engine.ts';
import { createGauges, createHealth } from './observe.ts';

const blobs = { identity: async () => 'a store' };

test('[OPS2] a migrated database and a readable blob store: healthy', async () => {
  const { db } = await openTestDatabase();
  expect(await createHealth(db, blobs)()).toEqual({});
});

test('[OPS2] pending migrations, an unreadable store, no database: each is named', async () => {
  const { db, pool } = await openTestDatabase();
  await pool.query('delete from kysely_migration');
  const broken = {
    identity: async () => {
      throw new Error('EIO');
    },
  };
  expect(await createHealth(db, broken)()).toEqual({
    migrations: expect.stringMatching(/^\d+ to run: 0001-engine/),
    blobs: 'cannot be read',
  });
  const away = openDatabase({ host: '/nowhere', database: 'x', user: 'x' }, 2, () => {});
  expect(await createHealth(away.db, blobs)()).toEqual({
    database: 'does not respond',
    migrations: 'unknown',
  });
  await away.close();
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
