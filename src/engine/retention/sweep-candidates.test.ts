import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { touchBlob } from '#storage/blob-records.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { createDatabase } from '../../../test/support/database.ts';
import { type SweptBlobs, sweep } from './sweep.ts';

const NOW = new Date('2026-03-31T00:00:00Z');
const MINUTE = 60_000;
const HOUR = 3_600_000;
const ROWS = 20_000;
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const A = 'a'.repeat(64);

const noFiles: SweptBlobs = { delete: async () => {}, list: async function* () {} };

async function open(poolSize: number): Promise<Database> {
  const database = openDatabase(await createDatabase(), poolSize, () => {});
  onTestFinished(() => database.close());
  await sql`insert into accounts values (${ACCOUNT}, 'a', 'unlimited', true, ${NOW})`.execute(database.db);
  return database;
}

const round = ({ db }: Database, clock: ManualClock) =>
  sweep({
    db,
    clock,
    blobs: noFiles,
    settings: { artifactSeconds: 86_400, jobRetentionSeconds: 30 * 86_400 },
  });

/** Jobs of 29 days, each with a key, an event, an artifact with its delivery, and a referenced blob. Nothing has expired. */
async function fill({ pool }: Database): Promise<void> {
  await pool.query(`
    create temp table made as
      select n, gen_random_uuid() as id, gen_random_uuid() as artifact, lpad(to_hex(n), 64, '0') as digest,
        '${NOW.toISOString()}'::timestamptz - interval '29 days' * n / ${ROWS} - interval '2 hours' as at
      from generate_series(1, ${ROWS}) n;
    insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, created_at, settled_at)
      select id, '${ACCOUNT}', 'x', 'completed', '{}', false, 1, 1, at, at from made;
    insert into request_keys (account_id, scope, key, job_id, claimed_at, expires_at)
      select '${ACCOUNT}', 'x', n::text, id, at, at + interval '30 days' from made;
    insert into events (id, account_id, surface, type, body, occurred_at)
      select gen_random_uuid(), '${ACCOUNT}', 'x', 'x', '', at from made;
    insert into artifacts (id, job_id, account_id, media_type, size_bytes, etag, parts, made_at, purge_at)
      select artifact, id, '${ACCOUNT}', 'x', 1, 'x', '{}', at, at + interval '40 days' from made;
    insert into deliveries (id, job_id, artifact_id, expires_at)
      select gen_random_uuid(), id, artifact, at + interval '40 days' from made;
    insert into blobs (digest, size_bytes, last_put_at) select digest, 1, at from made;
    insert into blob_refs (digest, job_id, role) select digest, id, 'artifact' from made;
    analyze`);
}

/** Rows that this connection has read from tables so far. */
async function rowsRead({ db }: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int8 as read from pg_stat_user_tables`.execute(db);
  return rows[0]?.read ?? 0;
}

test('[STO90] a sweep with nothing to delete: reads few rows, however many there are', async () => {
  // One connection, because PostgreSQL counts what each of them has read.
  const database = await open(1);
  const clock = new ManualClock(NOW);
  await fill(database);
  await round(database, clock);
  clock.advance(MINUTE);
  const before = await rowsRead(database);
  expect(await round(database, clock)).toEqual({
    artifacts: 0,
    blobs: 0,
    requestKeys: 0,
    jobs: 0,
    events: 0,
  });
  const idle = (await rowsRead(database)) - before;
  expect(idle).toBeLessThan(ROWS / 20);
  // Once a day it reads all of them, which also shows that the figure above counts.
  clock.advance(24 * HOUR);
  await round(database, clock);
  expect((await rowsRead(database)) - before - idle).toBeGreaterThan(ROWS);
});

test('[STO90] a blob that a job was about to reference during the sweep, and did not: deleted by a later one', async () => {
  const database = await open(4);
  const { db } = database;
  const clock = new ManualClock(NOW);
  await touchBlob(db, { name: A, digest: A, sizeBytes: 1 }, NOW);
  clock.advance(HOUR + 1);
  const accepting = await db.startTransaction().execute();
  await sql`select from blobs for key share`.execute(accepting);
  expect((await round(database, clock)).blobs).toBe(0);
  await accepting.rollback().execute();
  clock.advance(HOUR);
  expect((await round(database, clock)).blobs).toBe(1);
});

test('[STO90] a blob whose reference is deleted while a sweep examines it: deleted by the next one', async () => {
  const database = await open(4);
  const { db } = database;
  const clock = new ManualClock(NOW);
  await fill(database);
  clock.advance(HOUR);
  await round(database, clock);
  const forget = (tx: typeof db, n: number) =>
    sql`delete from blob_refs where digest = lpad(to_hex(${n}::int), 64, '0')`.execute(tx);
  // An earlier candidacy that another reference ends does not hide the later one.
  await sql`insert into released_blobs (digest) values (lpad(to_hex(7), 64, '0'))`.execute(db);
  const forgetting = await db.startTransaction().execute();
  await forget(forgetting, 7);
  expect((await round(database, clock)).blobs).toBe(0);
  await forgetting.commit().execute();
  expect((await round(database, clock)).blobs).toBe(1);
  expect((await sql`select from released_blobs`.execute(db)).rows).toHaveLength(0);
});

test('[STO90] a put that a slow transaction commits late: found', async () => {
  const database = await open(4);
  const { db } = database;
  const clock = new ManualClock(NOW);
  const put = await db.startTransaction().execute();
  await sql`insert into blobs (digest, size_bytes, last_put_at) values (${A}, 1, ${NOW})`.execute(put);
  clock.advance(HOUR + MINUTE);
  expect((await round(database, clock)).blobs).toBe(0);
  await put.commit().execute();
  clock.advance(MINUTE);
  expect((await round(database, clock)).blobs).toBe(1);
});

test('[STO90] a blob with an older time than any sweep expects: deleted within a day', async () => {
  const database = await open(4);
  const clock = new ManualClock(NOW);
  await round(database, clock);
  await touchBlob(database.db, { name: A, digest: A, sizeBytes: 1 }, new Date(NOW.getTime() - 5 * HOUR));
  clock.advance(MINUTE);
  expect((await round(database, clock)).blobs).toBe(0);
  clock.advance(24 * HOUR);
  expect((await round(database, clock)).blobs).toBe(1);
});
