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
  const reserved = await sql`
    insert into quota_balances as b (account_id, period, reserved_rows) values (${accountId}, ${period}, ${rows})
    on conflict (account_id, period) do update set reserved_rows = b.reserved_rows + excluded.reserved_rows
    where b.reserved_rows + b.billed_rows + excluded.reserved_rows <= ${limit}::int8
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

/** Converts a job's reservation into its bill: the reserved rows, or nothing. A second call has no effect. */
export async function settleQuota(tx: Tx, jobId: string, billed: boolean, now: Date): Promise<void> {
  await sql`${prepared}
    with settled as (
      update quota_ledger set billed_rows = case when ${billed}::bool then reserved_rows else 0 end,
        settled_at = ${now}::timestamptz
      where job_id = ${jobId}::uuid and settled_at is null
      returning account_id, period, case when limited then reserved_rows else 0 end as held, billed_rows)
    insert into quota_balances as b (account_id, period, billed_rows)
    select account_id, period, billed_rows from settled where held > 0 or billed_rows > 0
    on conflict (account_id, period) do update
      set reserved_rows = b.reserved_rows - (select held from settled), billed_rows = b.billed_rows + excluded.billed_rows`.execute(
    tx,
  );
}
