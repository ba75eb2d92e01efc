import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/support/database.ts';
import { streamSubscribers, subscriberColumns } from './people.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const PEOPLE = 5_000;

test('[SUB50] an export right after a large import: not slowed down by old statistics', async () => {
  const { db } = await openTestDatabase();
  for (const table of ['subscribers', 'subscriber_tags', 'tags']) {
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db);
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  }
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${NOW})`.execute(
    db,
  );
  await sql`
    insert into tags (id, account_id, name, name_key, created_at, updated_at)
    select gen_random_uuid(), ${ACCOUNT}, 'T' || n, 't' || n, ${NOW}, ${NOW} from generate_series(1, 3000) n`.execute(
    db,
  );
  await sql`
    insert into subscribers (id, account_id, email, email_key, status, subscribed_at, created_at, updated_at)
    select gen_random_uuid(), ${ACCOUNT}, n || '@x.de', n || '@x.de', 'Active', ${NOW}, ${NOW}, ${NOW}
    from generate_series(1, ${PEOPLE}) n`.execute(db);
  await sql`
    insert into subscriber_tags select t.id, s.id from subscribers s, tags t where t.name_key in ('t1', 't2', 't3')`.execute(
    db,
  );
  const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`
    explain select ${subscriberColumns} from subscribers s where s.account_id = ${ACCOUNT}`.execute(db);
  const steps = plan.map((step) => step['QUERY PLAN']).join('\n');
  expect(steps).toContain('using tags_pkey');
  expect(steps).not.toMatch(/Seq Scan on tags|Bitmap Heap Scan on tags/);

  let people = 0;
  for await (const batch of streamSubscribers(db, ACCOUNT, {}, NOW)) {
    people += batch.length;
    expect(batch[0]?.tags.map((tag) => tag.name)).toEqual(['T1', 'T2', 'T3']);
  }
  expect(people).toBe(PEOPLE);
});
