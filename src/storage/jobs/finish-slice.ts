import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export interface FinishedSlice {
  readonly jobId: string;
  readonly n: number;
  readonly attempt: number;
  readonly result: unknown;
  readonly rowsFailed: number;
  readonly now: Date;
}

/** Refused (false) when another attempt began since, or the slice has ended. The caller holds the job's lock. */
export async function finishSlice(tx: Tx, slice: FinishedSlice): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update slices set state = 'done', result = ${JSON.stringify(slice.result)}::json,
             rows_failed = ${slice.rowsFailed}, finished_at = ${slice.now}
      where job_id = ${slice.jobId} and n = ${slice.n} and state = 'open' and attempt = ${slice.attempt}
      returning rows_total)
    update jobs set slices_done = slices_done + 1, rows_done = rows_done + done.rows_total,
           rows_failed = rows_failed + ${slice.rowsFailed}
    from done where id = ${slice.jobId}
    returning 1`.execute(tx);
  return rows.length === 1;
}

/**
 * Drops open slices that can no longer matter: once `failLimit` failed rows are known, the row that ends the
 * job lies in or before the slice in which the known failures, counted in row order, reach the limit. Slices
 * after that one cannot move it; slices before it can, so they still run.
 */
export async function dropSlicesBeyond(tx: Tx, jobId: string, failLimit: number): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    with reached as (
      select n, sum(rows_failed) over (order by n) as failed
      from slices where job_id = ${jobId} and state = 'done'),
    dropped as (
      update slices set state = 'dropped'
      where job_id = ${jobId} and state = 'open' and n > (select min(n) from reached where failed >= ${failLimit})
      returning 1),
    counted as (
      update jobs set slices_done = slices_done + (select count(*) from dropped) where id = ${jobId})
    select count(*)::int as dropped from dropped`.execute(tx);
  return rows[0]?.dropped ?? 0;
}

/** The lowest open slice, or undefined when none is left. */
export async function findNextOpenSlice(tx: Tx, jobId: string): Promise<number | undefined> {
  const { rows } = await sql<{ n: number | null }>`
    select min(n) as n from slices where job_id = ${jobId} and state = 'open'`.execute(tx);
  return rows[0]?.n ?? undefined;
}
