import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import type { Database } from '#storage/database.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { type CooldownSettings, cooldownFor, recordCostlyRefusal, recordSettled } from './cooldowns.ts';

const accountId = systemIds.uuid();
const kind = 'example';
const REPEATED = 'repeated';
const RATIO = 'ratio';
const MINUTE = 60_000;

let database: Database;
let clock: ManualClock;
let settings: CooldownSettings;

beforeEach(async () => {
  database = await openTestDatabase();
  clock = new ManualClock('2030-01-01T00:00:00Z');
  settings = { failedJobs: 5, ratioJobs: 20 };
  await database.db
    .insertInto('accounts')
    .values({ id: accountId, name: 'demo', plan: 'unlimited', created_at: clock.now() })
    .execute();
});

type How = 'failed' | 'completed' | 'cancelled';

/** Settles jobs one after another as the engine does: record and hook in one transaction. */
async function settle(...outcomes: How[]): Promise<void> {
  for (const how of outcomes) {
    const now = clock.now();
    const state = how === 'completed' ? 'completed' : 'failed';
    const cancelled = how === 'cancelled';
    await database.db.transaction().execute(async (tx) => {
      await tx
        .insertInto('jobs')
        .values({
          id: systemIds.uuid(),
          account_id: accountId,
          kind,
          state,
          cancelled,
          input: '{}',
          ordered: false,
          slices_total: 0,
          rows_total: 0,
          created_at: now,
          settled_at: now,
        })
        .execute();
      if (!cancelled) await recordSettled(tx, settings, { accountId, kind, failed: state === 'failed', now });
    });
  }
}

async function refuse(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1)
    await recordCostlyRefusal(database.db, settings, { accountId, kind, now: clock.now() });
}

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);
const pause = () => cooldownFor(database.db, settings, accountId, kind, clock.now());

test('[LIM4] five failed jobs in a row: creates pause for a minute, then twice as long, up to 15 minutes', async () => {
  await settle(...times(4, 'failed' as const));
  expect(await pause()).toBeUndefined();
  await settle('failed');
  expect(await pause()).toEqual({ reason: REPEATED, retryAfterSeconds: 60 });
  for (const seconds of [120, 240, 480, 900, 900]) {
    clock.advance(16 * MINUTE);
    expect(await pause()).toBeUndefined();
    await settle('failed');
    expect(await pause()).toEqual({ reason: REPEATED, retryAfterSeconds: seconds });
  }
});

test('[LIM4] a success: ends the series; failures of jobs accepted earlier do not extend a running pause', async () => {
  await settle(...times(4, 'failed' as const), 'completed', ...times(4, 'failed' as const));
  expect(await pause()).toBeUndefined();
  await settle('failed');
  clock.advance(30_000);
  await settle(...times(5, 'failed' as const));
  expect(await pause()).toEqual({ reason: REPEATED, retryAfterSeconds: 30 });
  clock.advance(30_000);
  expect(await pause()).toBeUndefined();
  await settle('completed', ...times(5, 'failed' as const));
  expect(await pause()).toEqual({ reason: REPEATED, retryAfterSeconds: 60 });
});

test('[LIM5] half or more of at least twenty jobs of the last hour failed: pause of ten minutes', async () => {
  for (let i = 0; i < 9; i += 1) await settle('failed', 'completed');
  await settle('failed');
  expect(await pause()).toBeUndefined();
  await settle('completed');
  expect(await pause()).toEqual({ reason: RATIO, retryAfterSeconds: 600 });
  clock.advance(10 * MINUTE);
  expect(await pause()).toBeUndefined();
  await settle('completed');
  expect(await pause()).toBeUndefined();
});

test('[LIM5] jobs older than an hour: not counted', async () => {
  for (let i = 0; i < 9; i += 1) await settle('failed', 'completed');
  clock.advance(60 * MINUTE);
  await settle('failed', 'completed');
  expect(await pause()).toBeUndefined();
});

test('[LIM6] cancelled jobs: not counted in either cooldown', async () => {
  await settle(...times(4, 'failed' as const), ...times(10, 'cancelled' as const));
  expect(await pause()).toBeUndefined();
  await settle(...times(5, 'completed' as const));
  await settle(...times(10, 'cancelled' as const));
  expect(await pause()).toBeUndefined();
});

test('[LIM6] a setting of 0: disables its cooldown', async () => {
  settings = { failedJobs: 0, ratioJobs: 0 };
  await settle(...times(25, 'failed' as const));
  settings = { failedJobs: 5, ratioJobs: 20 };
  expect(await pause()).toBeUndefined();
  settings = { failedJobs: 0, ratioJobs: 20 };
  await settle('failed');
  expect(await pause()).toMatchObject({ reason: RATIO });
  settings = { failedJobs: 5, ratioJobs: 0 };
  expect(await pause()).toBeUndefined();
});

test('[LIM6] other accounts and kinds: not affected', async () => {
  await settle(...times(5, 'failed' as const));
  expect(await cooldownFor(database.db, settings, accountId, 'another', clock.now())).toBeUndefined();
  expect(await cooldownFor(database.db, settings, systemIds.uuid(), kind, clock.now())).toBeUndefined();
});

test('[LIM4] concurrent settlements: all counted', async () => {
  await Promise.all(times(5, 'failed' as const).map((how) => settle(how)));
  expect(await pause()).toMatchObject({ reason: REPEATED });
});

test('[LIM25] costly rejections in a row, alone or with failed jobs: pause creates like failed jobs', async () => {
  await refuse(4);
  expect(await pause()).toBeUndefined();
  await settle('completed', 'failed');
  await refuse(3);
  expect(await pause()).toBeUndefined();
  await refuse(1);
  expect(await pause()).toEqual({ reason: REPEATED, retryAfterSeconds: 60 });
});

test('[LIM25] costly rejections between successes: count in the ratio of the last hour', async () => {
  for (let i = 0; i < 9; i += 1) {
    await refuse(1);
    await settle('completed');
  }
  await refuse(1);
  expect(await pause()).toBeUndefined();
  await settle('completed');
  expect(await pause()).toEqual({ reason: RATIO, retryAfterSeconds: 600 });
});

test('[LIM25] costly rejections of more than an hour ago: not counted, and deleted', async () => {
  await refuse(3);
  await settle('completed');
  clock.advance(60 * MINUTE);
  await settle(...times(19, 'completed' as const));
  await refuse(1);
  expect(await pause()).toBeUndefined();
  const [record] = await database.db.selectFrom('cooldowns').select('refused_at').execute();
  expect(record?.refused_at).toEqual([clock.now()]);
});

test('[LIM25] both cooldowns disabled: costly rejections are not recorded', async () => {
  settings = { failedJobs: 0, ratioJobs: 0 };
  await refuse(25);
  settings = { failedJobs: 5, ratioJobs: 20 };
  expect(await pause()).toBeUndefined();
});
