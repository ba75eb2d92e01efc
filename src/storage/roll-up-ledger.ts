import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface LedgerMonth {
  readonly account_id: string;
  readonly period: string;
}

/**
 * Lists the accounts and months of the ledger before a month. Jumps from one pair to the next in the index, so that it reads a
 * few rows however long the ledger is.
 */
export async function listLedgerMonths(db: Db, before: string): Promise<LedgerMonth[]> {
  const { rows } = await sql<LedgerMonth>`
    with recursive months as (
      (select account_id, period from quota_ledger order by account_id, period limit 1)
      union all
      select n.account_id, n.period from months m cross join lateral (
        select account_id, period from quota_ledger l where (l.account_id, l.period) > (m.account_id, m.period)
        order by account_id, period limit 1) n)
    select account_id, period from months where period < ${before} order by account_id, period`.execute(db);
  return rows;
}

/**
 * Moves settled rows of one month whose jobs are deleted into the sum of the month, in one statement, so that each counts once.
 * Returns how many.
 */
export async function rollUpMonth(
  db: Db,
  { account_id: accountId, period }: LedgerMonth,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with moved as (
      delete from quota_ledger where job_id in (
        select l.job_id from quota_ledger l
        where l.account_id = ${accountId} and l.period = ${period} and l.settled_at is not null
          and not exists (select from jobs j where j.id = l.job_id)
        limit ${limit} for update of l skip locked)
      returning billed_rows),
    summed as (
      insert into quota_months as m (account_id, period, jobs, billed_rows)
      select ${accountId}::uuid, ${period}, count(*), sum(billed_rows) from moved having count(*) > 0
      on conflict (account_id, period) do update
        set jobs = m.jobs + excluded.jobs, billed_rows = m.billed_rows + excluded.billed_rows)
    select count(*)::int as moved from moved`.execute(db);
  return rows[0]?.moved ?? 0;
}
