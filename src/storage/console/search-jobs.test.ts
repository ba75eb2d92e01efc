import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import { expect, test } from 'vitest';
import { uuidParts } from '#lib/id-part.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import type { DB } from '../db-types.ts';
import { listAllJobs } from './jobs.ts';

const ACCOUNT = '018f0000-0000-7000-8000-000000000001';
const JOBS = 30_000;
const ERRORS = 2_000;

test('[CON65] a search among many jobs: reads indexes and a limited number of errors, never the whole table', async () => {
  const { db, pool } = await openTestDatabase();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'acme', 'free', now())`.execute(
    db,
  );
  await sql`
    insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, request_key, request_id,
                      error_code, error_message, created_at, settled_at)
    select md5(n::text)::uuid, ${ACCOUNT}, 'bulkfill.export', 'failed', '{}', false, 1, 1, 'key-' || n, 'request-' || n,
      case when n <= ${ERRORS} then 'CODE_' || n % 7 end, case when n <= ${ERRORS} then 'Row ' || n || ' broke.' end,
      timestamptz '2026-01-01' + make_interval(secs => n), now()
    from generate_series(1, ${JOBS}) n`.execute(db);
  await sql`analyze jobs`.execute(db);
  const { rows } = await pool.query<{ id: string }>("select id from jobs where request_key = 'key-777'");
  const id = rows[0]?.id ?? '';
  const statements: CompiledQuery[] = [];
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  });
  for (const [text, keys] of [
    [`${id.slice(0, 4)}…${id.slice(-8)}`, ['key-777']],
    [id.slice(-20), ['key-777']],
    ['key-7777', ['key-7777']],
    ['request-2999', ['key-29999', 'key-29998', 'key-29997']],
    ['code_3', ['key-1998', 'key-1991', 'key-1984']],
    ['row 1234 b', ['key-1234']],
    ['nothing has this', []],
  ] as const) {
    const found = await listAllJobs(watched, { search: { text, ids: uuidParts(text) }, limit: 2 });
    expect([text, found.map(({ request_key }) => request_key)]).toEqual([text, keys]);
  }
  for (const { sql: text, parameters } of statements) {
    const { rows: plan } = await pool.query(`explain ${text}`, [...parameters]);
    expect(JSON.stringify(plan)).not.toContain('Seq Scan on jobs');
  }
  expect(statements).toHaveLength(7);
});
