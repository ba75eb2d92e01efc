import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface DayUsage {
  /** UTC, `2026-01-31`. */
  readonly date: string;
  readonly jobs: number;
  readonly rows: number;
  readonly failed_rows: number;
}

/** Counts jobs by the day of their creation, including days without jobs. Without an account, counts all accounts. */
export async function listDailyUsage(
  db: Db,
  range: { readonly accountId: string | undefined; readonly firstDay: Date; readonly days: number },
): Promise<DayUsage[]> {
  const { accountId, firstDay, days } = range;
  const { rows } = await sql<DayUsage>`
    select to_char(day, 'YYYY-MM-DD') as date, count(j.id)::int as jobs,
      coalesce(sum(j.rows_done), 0)::int8 as rows, coalesce(sum(j.rows_failed), 0)::int8 as failed_rows
    from generate_series(0, ${days - 1}::int) as n
    cross join lateral (select (${firstDay}::timestamptz at time zone 'UTC') + make_interval(days => n) as day) d
    left join jobs j on j.created_at >= day at time zone 'UTC' and j.created_at < (day + interval '1 day') at time zone 'UTC'
      and (${accountId ?? null}::uuid is null or j.account_id = ${accountId ?? null}::uuid)
    group by day order by day`.execute(db);
  return rows;
}

export interface QuotaUse {
  readonly used: number;
  readonly reserved: number;
}

/** Sums the rows of one month: billed, and reserved for unsettled jobs. */
export async function sumQuota(db: Db, accountId: string, period: string): Promise<QuotaUse> {
  const { rows } = await sql<QuotaUse>`
    select coalesce(sum(billed_rows), 0)::int8 as used,
      coalesce(sum(reserved_rows) filter (where settled_at is null), 0)::int8 as reserved
    from quota_ledger where account_id = ${accountId} and period = ${period}`.execute(db);
  return rows[0] ?? { used: 0, reserved: 0 };
}
