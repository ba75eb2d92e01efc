import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import { type JobRecord, jobColumns } from './find-jobs.ts';

const columns = sql.raw(jobColumns('jobs'));

export interface Tally {
  readonly before: JobRecord;
  readonly after: JobRecord;
}

/**
 * Counts the slices of a job that have ended. Returns undefined if the job has ended. Tallies of one job wait for each
 * other and keep their lock, so exactly one of them finds that no slice is open any more. They do not wait for slices
 * that are ending: each of these is followed by a tally of its own.
 *
 * The transaction may return before it is on disk: what it counts was written before it.
 */
export async function tallyJob(tx: Tx, jobId: string): Promise<Tally | undefined> {
  const locked = await sql<JobRecord>`${prepared}
    select ${columns}, set_config('synchronous_commit', 'off', true) from jobs
    where id = ${jobId}::uuid and settled_at is null for no key update`.execute(tx);
  const [before] = locked.rows;
  if (before === undefined) return undefined;
  // A statement of its own, to see what was committed while the first one waited for the lock.
  const counted = await sql<JobRecord>`${prepared}
    update jobs set slices_done = ended, rows_done = done, rows_failed = failed
    from (
      select count(*) filter (where s.state <> 'open')::int as ended,
             coalesce(sum(s.rows_total) filter (where s.state = 'done'), 0)::int8 as done,
             coalesce(sum(s.rows_failed) filter (where s.state = 'done'), 0)::int8 as failed
      from slices s where s.job_id = ${jobId}::uuid) counts
    where id = ${jobId}::uuid
    returning ${columns}`.execute(tx);
  const [after] = counted.rows;
  if (after === undefined) throw new Error(`bug: job ${jobId} is gone although it is locked`);
  return { before, after };
}
