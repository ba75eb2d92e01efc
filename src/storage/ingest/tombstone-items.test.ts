import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../database.ts';
import { tombstoneUnseen } from './tombstone-items.ts';

const BEFORE = new Date('2026-05-01T10:00:00.000Z');
const ACCEPTED = new Date('2026-05-01T11:00:00.000Z');
const NOW = new Date('2026-05-01T12:00:00.000Z');

const REFRESH = {
  partnerNo: 1,
  collection: 3,
  correlationId: 'refresh',
  warehouseId: null,
  acceptedAt: ACCEPTED,
  now: NOW,
};

const JOB = '00000000-0000-7000-8000-000000000001';

/** A collection whose table was last analyzed while it was empty. */
async function openUncounted(items: number, seen: number) {
  const database = openDatabase(await createDatabase(), 2, () => {});
  onTestFinished(() => database.close());
  const { db } = database;
  await sql`alter table ingest_items set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table ingest_seen set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table ingest_seen drop constraint ingest_seen_job_id_fkey`.execute(db);
  await sql`vacuum analyze ingest_items, ingest_seen`.execute(db);
  await sql`
    insert into ingest_items (partner_no, collection, source_id, internal_id, active, change, item, correlation_id, changed_at)
    select 1, 3, 'K' || lpad(n::text, 6, '0'), gen_random_uuid(), true, 1, '{}', 'load', ${BEFORE}
    from generate_series(1, ${items}) n`.execute(db);
  await sql`
    insert into ingest_seen (job_id, source_id)
    select ${JOB}, 'K' || lpad(n::text, 6, '0') from generate_series(1, ${seen}) n`.execute(db);
  return database;
}

test('[ING26] a refresh right after a large load: not slowed down by old statistics', async () => {
  const { db } = await openUncounted(30_000, 10_000);
  const count = await db.transaction().execute(async (tx) => {
    const tombstoned = await tombstoneUnseen(tx, REFRESH, { jobId: JOB });
    const { rows } = await sql<{ value: string }>`select current_setting('enable_nestloop') as value`.execute(
      tx,
    );
    return [tombstoned, rows[0]?.value];
  });
  expect(count).toEqual([20_000, 'on']);
});

test('[ING26] a refresh in one request: not slowed down by old statistics', async () => {
  const { db } = await openUncounted(30_000, 0);
  const sourceIds = Array.from({ length: 5_000 }, (_, n) => `K${String(n + 1).padStart(6, '0')}`);
  const count = await db.transaction().execute((tx) => tombstoneUnseen(tx, REFRESH, { sourceIds }));
  expect(count).toBe(25_000);
});
