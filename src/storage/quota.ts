import { sql } from 'kysely';
import type { Tx } from './database.ts';
import { prepared } from './prepared-statements.ts';

export interface QuotaReservation {
  readonly jobId: string;
  readonly accountId: string;
  readonly period: string;
  readonly rows: number;
  readonly limit: number | null;
  readonly now: Date;
}

/**
 * Reserves rows in the balance. Returns false if reserved and billed rows would exceed the limit. The balance row is
 * the lock, so parallel creates cannot overspend. Do not call it for plans without a limit: the lock is held until the
 * commit and would serialize the creates of an account.
 *
 * The rows that the account was billed without a limit in the same month count too. They are summed from the ledger, so
 * that jobs without a limit never touch the balance.
 */
export async function reserveBalance(
  tx: Tx,
  {
    accountId,
    period,
    rows,
    limit,
  }: Omit<QuotaReservation, 'jobId' | 'now' | 'limit'> & { readonly limit: number },
): Promise<boolean> {
  if (rows > limit) return false;
  const reserved = await sql`${prepared}
    with beside as materialized (
      select coalesce(sum(billed_rows), 0)::int8 as billed from quota_ledger
      where account_id = ${accountId}::uuid and period = ${period}::text and beside_balance)
    insert into quota_balances as b (account_id, period, reserved_rows)
    select ${accountId}::uuid, ${period}::text, ${rows}::int8 from beside where billed + ${rows}::int8 <= ${limit}::int8
    on conflict (account_id, period) do update set reserved_rows = b.reserved_rows + excluded.reserved_rows
    where b.reserved_rows + b.billed_rows + excluded.reserved_rows + (select billed from beside) <= ${limit}::int8
    returning 1`.execute(tx);
  return reserved.rows.length > 0;
}

/** Inserts the ledger row of a job. A job that costs nothing (reused, dry run) has one too. */
export async function insertLedgerRow(
  tx: Tx,
  { jobId, accountId, period, rows, limit, now }: QuotaReservation,
): Promise<void> {
  await sql`
    insert into quota_ledger (job_id, account_id, period, reserved_rows, limited, created_at)
    values (${jobId}, ${accountId}, ${period}, ${rows}, ${limit !== null}, ${now})`.execute(tx);
}

/**
 * Converts a job's reservation into its bill: the reserved rows, or nothing. A second call has no effect. A job without
 * a limit leaves the balance alone: otherwise the settlements of an account would wait for each other.
 */
export async function settleQuota(tx: Tx, jobId: string, billed: boolean, now: Date): Promise<void> {
  await sql`${prepared}
    with settled as (
      update quota_ledger set billed_rows = case when ${billed}::bool then reserved_rows else 0 end,
        beside_balance = case when ${billed}::bool and not limited and reserved_rows > 0 then true end,
        settled_at = ${now}::timestamptz
      where job_id = ${jobId}::uuid and settled_at is null
      returning account_id, period, limited, reserved_rows, billed_rows)
    insert into quota_balances as b (account_id, period, billed_rows)
    select account_id, period, billed_rows from settled where limited and reserved_rows > 0
    on conflict (account_id, period) do update
      set reserved_rows = b.reserved_rows - (select reserved_rows from settled),
          billed_rows = b.billed_rows + excluded.billed_rows`.execute(tx);
}
