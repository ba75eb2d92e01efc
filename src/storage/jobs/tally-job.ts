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

export interface JobsTally {
  /** Their slices have just been counted. */
  readonly counted: readonly { readonly id: string; readonly isLast: boolean }[];
  /** Jobs of which `tallyJob` must count the slices, because some of them may have to be dropped. */
  readonly beyondLimit: readonly string[];
  /** Jobs that another transaction holds. */
  readonly held: readonly string[];
}

/**
 * Counts the ended slices of several jobs, as `tallyJob` does for one, but waits for no other transaction: two processes
 * that work on the same jobs would otherwise wait for each other with every tally. Jobs in none of the lists have ended.
 */
export async function tallyJobs(tx: Tx, jobIds: readonly string[]): Promise<JobsTally> {
  const locked = await sql<{ id: string; slices_done: number; free: boolean }>`${prepared}
    with free as materialized (
      select id, slices_done, set_config('synchronous_commit', 'off', true) from jobs
      where id = any(${jobIds}::uuid[]) and settled_at is null for no key update skip locked)
    select jobs.id, free.slices_done, free.id is not null as free
    from jobs left join free on free.id = jobs.id
    where jobs.id = any(${jobIds}::uuid[]) and (free.id is not null or jobs.settled_at is null)`.execute(tx);
  const before = new Map(locked.rows.flatMap((row) => (row.free ? [[row.id, row.slices_done]] : [])));
  const held = locked.rows.flatMap(({ id, free }) => (free ? [] : [id]));
  if (before.size === 0) return { counted: [], beyondLimit: [], held };
  // A statement of its own, to see what was committed before the locks.
  const { rows } = await sql<{ id: string; slices_done: number; slices_total: number }>`${prepared}
    update jobs set slices_done = ended, rows_done = done, rows_failed = failed
    from (
      select s.job_id, count(*) filter (where s.state <> 'open')::int as ended,
             coalesce(sum(s.rows_total) filter (where s.state = 'done'), 0)::int8 as done,
             coalesce(sum(s.rows_failed) filter (where s.state = 'done'), 0)::int8 as failed
      from slices s where s.job_id = any(${[...before.keys()]}::uuid[]) group by s.job_id) counts
    where id = counts.job_id and (fail_limit is null or failed < fail_limit or failed = rows_failed)
    returning id, slices_done, slices_total`.execute(tx);
  const counted = rows.map(({ id, slices_done: done, slices_total: total }) => ({
    id,
    isLast: (before.get(id) ?? total) < total && done === total,
  }));
  const known = new Set(counted.map(({ id }) => id));
  return { counted, beyondLimit: [...before.keys()].filter((id) => !known.has(id)), held };
}
