import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Db } from '../database.ts';
import { countCollections } from './ingest-overview.ts';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const NOW = new Date('2026-05-01T12:00:00.000Z');

async function addItems(db: Db, collection: number, count: number, inactive: number): Promise<void> {
  await sql`
    insert into ingest_items (partner_no, collection, source_id, internal_id, active, change, item, correlation_id, changed_at)
    select 1, ${collection}, lpad(n::text, 6, '0'), gen_random_uuid(), n > ${inactive}::int, 1, '{}', 'c', ${NOW}::timestamptz
    from generate_series(1, ${count}::int) n`.execute(db);
}

test('[CON110] collections of a partner: counted up to 10,000 items and quarantined records each', async () => {
  const { db } = await openTestDatabase();
  await sql`insert into accounts values (${ACCOUNT}, 'a', 'unlimited', true, ${NOW})`.execute(db);
  await sql`
    insert into ingest_partners (account_id, partner_id, created_at) values (${ACCOUNT}, 'p', ${NOW}), (${ACCOUNT}, 'q', ${NOW})`.execute(
    db,
  );
  await addItems(db, 1, 3, 1);
  await addItems(db, 2, 10_500, 7);
  await sql`
    insert into ingest_quarantine (id, partner_no, collection, source_id, status, reason, item, correlation_id, created_at, updated_at)
    select gen_random_uuid(), 2, 3, n::text, case when n <= 10500 then 'OPEN' else 'RELEASED' end, 'r', '{}', 'c', ${NOW}::timestamptz, ${NOW}::timestamptz
    from generate_series(1, 10600) n`.execute(db);
  expect(await countCollections(db, [1, 2], [1, 2, 3, 4])).toEqual([
    { partner_no: 1, collection: 1, items: 3, active: 2, quarantined: 0 },
    { partner_no: 1, collection: 2, items: 10_000, active: 9_993, quarantined: 0 },
    { partner_no: 2, collection: 3, items: 0, active: 0, quarantined: 10_000 },
  ]);
});
