import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Turns a job's reservation into its bill: the reserved rows, or nothing. A second call changes nothing. */
export async function settleQuota(tx: Tx, jobId: string, billed: boolean, now: Date): Promise<void> {
  await sql`
    with settled as (
      update quota_ledger set billed_rows = case when ${billed}::bool then reserved_rows else 0 end, settled_at = ${now}
      where job_id = ${jobId} and settled_at is null
      returning account_id, period, reserved_rows, billed_rows)
    update quota_balances b set reserved_rows = b.reserved_rows - s.reserved_rows, billed_rows = b.billed_rows + s.billed_rows
    from settled s where b.account_id = s.account_id and b.period = s.period`.execute(tx);
}
