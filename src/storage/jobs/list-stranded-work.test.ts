import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Queue } from '#engine/queue/queue.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { Database } from '../database.ts';
import { listStrandedDeliveries } from '../webhooks.ts';
import { listStrandedWork } from './list-stranded-work.ts';

const NOW = new Date('2026-05-01T12:00:00.000Z');
const LATER = new Date('2026-05-01T13:00:00.000Z');
const ACCOUNT = '00000000-0000-7000-8000-000000000001';

/**
 * Makes a database with a queue. The server analyzed its tables while they were empty and does not analyze them again.
 */
async function openUncounted(): Promise<Database> {
  const database = await openTestDatabase();
  const queue = new Queue(database.pool, { leaseMs: 10_000, supervise: false, onError: () => {} });
  await queue.start();
  await queue.stop();
  const { db } = database;
  const tables = ['jobs', 'slices', 'events', 'webhook_deliveries', 'pgboss.job_common'];
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(db);
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
  }
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${NOW})`.execute(
    db,
  );
  return database;
}

test('[JOB12] lost entries among tens of thousands: found in less than quadratic time', async () => {
  const { db } = await openUncounted();
  await sql`
    insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, created_at)
    select gen_random_uuid(), ${ACCOUNT}, 'x', 'processing', '{}', false, 100, 100, ${NOW} from generate_series(1, 400)`.execute(
    db,
  );
  await sql`
    insert into slices (job_id, n, state, input, rows_total)
    select id, n, 'open', '{}', 1 from jobs, generate_series(0, 99) n`.execute(db);
  await sql`
    insert into pgboss.job_common (name, singleton_key, policy)
    select 'slice', job_id || ':' || n, 'standard' from slices order by job_id, n offset 3`.execute(db);
  const { slices, settles } = await listStrandedWork(db, LATER, 1_000);
  expect(slices.map(({ n }) => n).sort()).toEqual([0, 1, 2]);
  expect(settles).toEqual([]);
});

test('[WHK21] lost deliveries: found, even if a receiver failed after the last analyze', async () => {
  const { db } = await openUncounted();
  await sql`
    insert into events (id, account_id, surface, type, body, occurred_at)
    select gen_random_uuid(), ${ACCOUNT}, 'bulkfill', 't', '', ${NOW} from generate_series(1, 40000)`.execute(
    db,
  );
  await sql`
    insert into webhook_deliveries (id, event_id, account_id, target_url, secrets, scheme, state, delivered_at, created_at)
    select gen_random_uuid(), id, account_id, 'u', '', 'standard', 'delivered', ${NOW}, ${NOW} from events`.execute(
    db,
  );
  await sql`vacuum analyze webhook_deliveries`.execute(db);
  await sql`update webhook_deliveries set state = 'pending', delivered_at = null, next_attempt_at = ${NOW}`.execute(
    db,
  );
  await sql`
    insert into pgboss.job_common (name, singleton_key, policy)
    select 'webhook', id, 'standard' from webhook_deliveries order by id offset 2`.execute(db);
  expect(await listStrandedDeliveries(db, LATER, 1_000)).toHaveLength(2);
});
