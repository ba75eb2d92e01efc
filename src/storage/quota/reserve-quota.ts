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
 * Sets rows aside, or refuses (false) when reserved and billed rows would exceed the limit. The balance row is the
 * lock, so parallel creates cannot overspend. Without a limit there is nothing to guard: the ledger alone is
 * written, because a lock held until the commit would let an account create only one job at a time.
 */
export async function reserveQuota(tx: Tx, reservation: QuotaReservation): Promise<boolean> {
  const { accountId, period, rows, limit } = reservation;
  if (limit !== null && rows > limit) return false;
  if (limit !== null) {
    const reserved = await sql`
      insert into quota_balances as b (account_id, period, reserved_rows) values (${accountId}, ${period}, ${rows})
      on conflict (account_id, period) do update set reserved_rows = b.reserved_rows + excluded.reserved_rows
      where b.reserved_rows + b.billed_rows + excluded.reserved_rows <= ${limit}::int8
      returning 1`.execute(tx);
    if (reserved.rows.length === 0) return false;
  }
  await insertLedgerRow(tx, reservation);
  return true;
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
