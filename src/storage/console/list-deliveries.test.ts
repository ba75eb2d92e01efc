import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase } from '../database.ts';
import { listDeliveries } from './list-deliveries.ts';

const ROWS = 20_000;
const ACCOUNT = '00000000-0000-7000-8000-000000000001';

/** Rows that the only connection has read from the table so far. */
async function rowsRead({ db }: Database): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int8 as read
    from pg_stat_user_tables where relname = 'webhook_deliveries'`.execute(db);
  return rows[0]?.read ?? 0;
}

test('[STO104] the list of deliveries that were given up: reads only those', async () => {
  // One connection, because PostgreSQL counts what each of them has read.
  const database = openDatabase(await createDatabase(), 1, () => {});
  onTestFinished(() => database.close());
  const { db, pool } = database;
  await pool.query(`
    insert into accounts values ('${ACCOUNT}', 'a', 'unlimited', true, now());
    insert into events (id, account_id, surface, type, body, occurred_at)
      values ('${ACCOUNT}', '${ACCOUNT}', 'x', 'x', '', now());
    insert into webhook_deliveries (id, event_id, account_id, target_url, scheme, secrets, state, created_at)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${ACCOUNT}', '${ACCOUNT}', 'https://x.example', 'x', '',
        case when n in (7, 9) then 'exhausted' else 'delivered' end, now()
      from generate_series(1, ${ROWS}) n;
    analyze`);
  const before = await rowsRead(database);
  const given = await listDeliveries(db, { state: 'exhausted', limit: 50 });
  expect(given.map(({ id }) => id.slice(-2))).toEqual(['09', '07']);
  const read = (await rowsRead(database)) - before;
  expect(read).toBeLessThan(ROWS / 20);
  // The figure counts: delivered ones without a limit are all read.
  await listDeliveries(db, { state: 'delivered', limit: ROWS });
  expect((await rowsRead(database)) - before - read).toBeGreaterThan(ROWS / 2);
});
