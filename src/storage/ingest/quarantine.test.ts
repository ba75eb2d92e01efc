import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../database.ts';
import { supersedeQuarantine } from './quarantine.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const PLACE = { partnerNo: 1, collection: 3 };

const sourceIds = (count: number) =>
  Array.from({ length: count }, (_, n) => `K${String(n + 1).padStart(6, '0')}`);

/**
 * Items at version 5, and for each an open record at 4, 5, 6 or without a version, in tables that were never analyzed.
 */
async function openUncounted(count: number) {
  const database = openDatabase(await createDatabase(), 2, () => {});
  onTestFinished(() => database.close());
  const { db } = database;
  await sql`alter table ingest_items set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table ingest_quarantine set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table ingest_quarantine drop constraint ingest_quarantine_partner_no_fkey`.execute(db);
  await sql`vacuum analyze ingest_items, ingest_quarantine`.execute(db);
  await sql`
    insert into ingest_items (partner_no, collection, source_id, internal_id, source_version, active, change, item, correlation_id, changed_at)
    select 1, 3, 'K' || lpad(n::text, 6, '0'), gen_random_uuid(), 5, true, 1, '{}', 'load', ${NOW}
    from generate_series(1, ${count}) n`.execute(db);
  await sql`
    insert into ingest_quarantine (id, partner_no, collection, source_id, source_version, status, reason, item, correlation_id, created_at, updated_at)
    select gen_random_uuid(), 1, 3, 'K' || lpad(n::text, 6, '0'), (array[4, 5, 6, null])[n % 4 + 1], 'OPEN', 'r', '{}', 'load', ${NOW}, ${NOW}
    from generate_series(1, ${count}) n`.execute(db);
  const countByStatus = async () => {
    const { rows } = await sql<{ status: string; n: number }>`
      select status, count(*)::int as n from ingest_quarantine group by status order by status`.execute(db);
    return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
  };
  return { db, countByStatus };
}

test('[ING29] a few accepted items: their open records that are not above their version are closed', async () => {
  const { db, countByStatus } = await openUncounted(40);
  await db.transaction().execute((tx) => supersedeQuarantine(tx, PLACE, sourceIds(20), NOW));
  expect(await countByStatus()).toEqual({ OPEN: 25, SUPERSEDED: 15 });
});

test('[ING29] many accepted items: closed in less than quadratic time', async () => {
  const { db, countByStatus } = await openUncounted(20_000);
  const { rows } = await sql<{ id: string }>`
    select id from ingest_quarantine where source_version = 4 limit 1`.execute(db);
  const except = rows.map(({ id }) => id);
  await db.transaction().execute((tx) => supersedeQuarantine(tx, PLACE, sourceIds(20_000), NOW, except));
  expect(await countByStatus()).toEqual({ OPEN: 5_001, SUPERSEDED: 14_999 });
});
