import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export interface QuotaReservation {
  readonly jobId: string;
  readonly accountId: string;
  readonly period: string;
  readonly rows: number;
  readonly limit: number | null;
  readonly now: Date;
}

/**
 * Sets rows aside in the balance, or refuses (false) when reserved and billed rows would exceed the limit. The balance row
 * is the lock, so parallel creates cannot overspend. Plans without a limit do not come here: a lock held until the
 * commit would let an account create only one job at a time.
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

/** A job that costs nothing (reused, dry run) still has its one ledger row. */
export async function insertLedgerRow(
  tx: Tx,
  { jobId, accountId, period, rows, limit, now }: QuotaReservation,
): Promise<void> {
  await sql`
    insert into quota_ledger (job_id, account_id, period, reserved_rows, limited, created_at)
    values (${jobId}, ${accountId}, ${period}, ${rows}, ${limit !== null}, ${now})`.execute(tx);
}
