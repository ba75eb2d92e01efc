import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { rollUpLedger } from './roll-up-ledger.ts';

const id = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const [ANNA, BERT, KEPT] = [id(1), id(2), id(3)];

/** Ledger rows of an account and a month whose jobs are deleted; each billed ten rows. */
async function bill(db: Db, accountId: string, period: string, count: number): Promise<void> {
  await sql`
    insert into quota_ledger (job_id, account_id, period, reserved_rows, billed_rows, limited, created_at, settled_at)
    select gen_random_uuid(), ${accountId}, ${period}, 10, 10, false, ${`${period}-01`}::timestamptz, ${`${period}-02`}::timestamptz
    from generate_series(1, ${count}::int)`.execute(db);
}

async function read(db: Db) {
  const { rows: months } = await sql`
    select account_id, period, jobs, billed_rows from quota_months order by account_id, period`.execute(db);
  const { rows: ledger } = await sql<{ period: string; count: number }>`
    select period, count(*)::int as count from quota_ledger group by period order by period`.execute(db);
  return { months, ledger: Object.fromEntries(ledger.map(({ period, count }) => [period, count])) };
}

test('[STO92] the ledger of past months: summed by account once its jobs are deleted, each row once', async () => {
  const { db } = await openTestDatabase();
  const clock = new ManualClock('2026-05-15T00:00:00Z');
  const now = clock.now();
  await sql`
    insert into accounts (id, name, plan, created_at)
    values (${ANNA}, 'anna', 'unlimited', ${now}), (${BERT}, 'bert', 'unlimited', ${now})`.execute(db);
  await bill(db, ANNA, '2026-02', 2_500);
  await bill(db, ANNA, '2026-03', 1);
  await bill(db, ANNA, '2026-04', 2);
  await bill(db, BERT, '2026-03', 3);
  await bill(db, BERT, '2026-05', 4);
  // A job that is kept, and one that has not settled.
  await sql`
    insert into jobs (id, account_id, kind, state, input, ordered, slices_total, rows_total, created_at, settled_at)
    values (${KEPT}, ${BERT}, 'x', 'failed', '{}', false, 0, 0, ${now}, ${now})`.execute(db);
  await sql`
    insert into quota_ledger (job_id, account_id, period, reserved_rows, limited, created_at, settled_at)
    values (${KEPT}, ${BERT}, '2026-03', 5, false, ${now}, ${now}), (${id(4)}, ${BERT}, '2026-03', 5, false, ${now}, null)`.execute(
    db,
  );

  const moved = await Promise.all([rollUpLedger({ db, clock }), rollUpLedger({ db, clock })]);
  expect(moved[0] + moved[1] + (await rollUpLedger({ db, clock }))).toBe(2_504);
  expect(await rollUpLedger({ db, clock })).toBe(0);
  expect(await read(db)).toEqual({
    months: [
      { account_id: ANNA, period: '2026-02', jobs: 2_500, billed_rows: 25_000 },
      { account_id: ANNA, period: '2026-03', jobs: 1, billed_rows: 10 },
      { account_id: BERT, period: '2026-03', jobs: 3, billed_rows: 30 },
    ],
    ledger: { '2026-03': 2, '2026-04': 2, '2026-05': 4 },
  });

  await sql`delete from jobs`.execute(db);
  expect(await rollUpLedger({ db, clock })).toBe(1);
  const { months } = await read(db);
  expect(months[2]).toEqual({ account_id: BERT, period: '2026-03', jobs: 4, billed_rows: 30 });
});
