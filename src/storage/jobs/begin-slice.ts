import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import type { JobRecord } from './find-job.ts';

export interface BegunSlice {
  readonly job: JobRecord;
  readonly attempt: number;
  readonly timeouts: number;
  readonly input: unknown;
  readonly rows_total: number;
}

interface BegunColumns {
  readonly attempt: number;
  readonly timeouts: number;
  readonly slice_input: unknown;
  readonly slice_rows: number;
}

/**
 * Starts one attempt. The number returned fences every later write of this attempt: whoever begins the slice
 * again makes all earlier numbers worthless. Undefined: the slice or its job has already ended.
 * The job comes with it as it was before (a first slice's `state` and `started_at` are those of a waiting job).
 */
export async function beginSlice(
  db: Db,
  jobId: string,
  n: number,
  now: Date,
): Promise<BegunSlice | undefined> {
  const { rows } = await sql<JobRecord & BegunColumns>`${prepared}
    with started as (
      update jobs set state = 'processing', started_at = coalesce(started_at, ${now}::timestamptz)
      where id = ${jobId}::uuid and state = 'queued'),
    begun as (
      update slices set attempt = attempt + 1, started_at = ${now}::timestamptz
      where job_id = ${jobId}::uuid and n = ${n}::int and state = 'open'
        and exists (select from jobs where id = ${jobId}::uuid and state in ('queued', 'processing'))
      returning attempt, timeouts, input as slice_input, rows_total as slice_rows)
    select jobs.*, begun.* from begun, jobs where jobs.id = ${jobId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { attempt, timeouts, slice_input: input, slice_rows: rows_total, ...job } = row;
  return { job, attempt, timeouts, input, rows_total };
}

/** Counts a stop by the wall clock; returns how many there were, or undefined for a late attempt. */
export async function recordSliceTimeout(
  db: Db,
  jobId: string,
  n: number,
  attempt: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ timeouts: number }>`
    update slices set timeouts = timeouts + 1
    where job_id = ${jobId} and n = ${n} and state = 'open' and attempt = ${attempt}
    returning timeouts`.execute(db);
  return rows[0]?.timeouts;
}

/** Whether a result of this attempt could still count. */
export async function isSliceOpen(db: Db, jobId: string, n: number, attempt: number): Promise<boolean> {
  const { rows } = await sql`
    select from slices s join jobs j on j.id = s.job_id
    where s.job_id = ${jobId} and s.n = ${n} and s.state = 'open' and s.attempt = ${attempt} and j.settled_at is null`.execute(
    db,
  );
  return rows.length === 1;
}
