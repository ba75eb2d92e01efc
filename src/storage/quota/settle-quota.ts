import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Turns a job's reservation into its bill: the reserved rows, or nothing. A second call changes nothing. */
export async function settleQuota(tx: Tx, jobId: string, billed: boolean, now: Date): Promise<void> {
  await sql`
    with settled as (
      update quota_ledger set billed_rows = case when ${billed}::bool then reserved_rows else 0 end, settled_at = ${now}
      where job_id = ${jobId} and settled_at is null
      returning account_id, period, case when limited then reserved_rows else 0 end as held, billed_rows)
    insert into quota_balances as b (account_id, period, billed_rows)
    select account_id, period, billed_rows from settled where held > 0 or billed_rows > 0
    on conflict (account_id, period) do update
      set reserved_rows = b.reserved_rows - (select held from settled), billed_rows = b.billed_rows + excluded.billed_rows`.execute(
    tx,
  );
}
