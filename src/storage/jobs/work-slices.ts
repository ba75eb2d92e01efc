import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import { type JobRecord, jobColumns } from './find-jobs.ts';

const columns = sql.raw(jobColumns('jobs'));

export interface BegunSlice {
  readonly job: JobRecord;
  readonly attempt: number;
  /** Earlier attempts that do not count. */
  readonly excused: number;
  readonly timeouts: number;
  readonly input: unknown;
  readonly rows_total: number;
}

interface BegunColumns {
  readonly attempt: number;
  readonly excused: number;
  readonly timeouts: number;
  readonly slice_input: unknown;
  readonly slice_rows: number;
}

/**
 * Starts one attempt. Its number fences every later write of this attempt: once the slice is begun again, writes with
 * earlier numbers are rejected. Returns undefined if the slice or its job has already ended. The returned job is as it
 * was before (for a first slice, `state` and `started_at` are those of a queued job).
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
      returning attempt, excused, timeouts, input as slice_input, rows_total as slice_rows)
    select ${columns}, begun.attempt, begun.excused, begun.timeouts, begun.slice_input, begun.slice_rows
    from begun, jobs where jobs.id = ${jobId}::uuid`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { attempt, excused, timeouts, slice_input: input, slice_rows: rows_total, ...job } = row;
  return { job, attempt, excused, timeouts, input, rows_total };
}

/** Marks an attempt as one that does not count. Does nothing if a later attempt has begun. */
export async function excuseSlice(db: Db, jobId: string, n: number, attempt: number): Promise<void> {
  await sql`
    update slices set excused = excused + 1
    where job_id = ${jobId} and n = ${n} and state = 'open' and attempt = ${attempt}`.execute(db);
}

/** Counts a timeout. Returns the number of timeouts so far, or undefined if a later attempt has begun. */
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

/** Reports whether a result of this attempt would still be accepted. */
export async function isSliceOpen(db: Db, jobId: string, n: number, attempt: number): Promise<boolean> {
  const { rows } = await sql`
    select from slices s join jobs j on j.id = s.job_id
    where s.job_id = ${jobId} and s.n = ${n} and s.state = 'open' and s.attempt = ${attempt} and j.settled_at is null`.execute(
    db,
  );
  return rows.length === 1;
}

export interface FinishedSlice {
  readonly jobId: string;
  readonly n: number;
  readonly attempt: number;
  readonly result: unknown;
  readonly rowsFailed: number;
  readonly now: Date;
}

/**
 * Ends an attempt, counts it, and returns the updated job. Returns undefined if another attempt has begun since, or if
 * the slice or its job has ended. Takes the job's lock first and keeps it, so the returned counts are exact and the
 * caller that finishes the last slice can tell.
 *
 * The transaction may return before it is on disk. If the database crashes, a lost slice is lost with all its effects
 * and runs again; the commit that settles the job waits for the disk and makes everything before it durable. Slices of
 * one job serialize on the job's row and would otherwise each wait there for the disk.
 */
export async function finishSlice(tx: Tx, slice: FinishedSlice): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`${prepared}
    with locked as materialized (
      select id, set_config('synchronous_commit', 'off', true) from jobs
      where id = ${slice.jobId}::uuid and settled_at is null for update),
    done as (
      update slices set state = 'done', result = ${JSON.stringify(slice.result)}::json,
             rows_failed = ${slice.rowsFailed}::int, finished_at = ${slice.now}::timestamptz
      from locked
      where job_id = locked.id and n = ${slice.n}::int and state = 'open' and attempt = ${slice.attempt}::int
      returning rows_total)
    update jobs set slices_done = slices_done + 1, rows_done = rows_done + done.rows_total,
           rows_failed = rows_failed + ${slice.rowsFailed}::int
    from done where id = ${slice.jobId}::uuid
    returning ${columns}`.execute(tx);
  return rows[0];
}

/**
 * Ends an attempt without counting it. Returns false if another attempt has begun since, or if the slice or its job has
 * ended. Only the end of the job waits for the lock that it keeps, so slices of one job end beside each other.
 * `tallyJob` counts them. May return before it is on disk, as `finishSlice`.
 */
export async function endSlice(tx: Tx, slice: FinishedSlice): Promise<boolean> {
  const { rows } = await sql`${prepared}
    with locked as materialized (
      select id, set_config('synchronous_commit', 'off', true) from jobs
      where id = ${slice.jobId}::uuid and settled_at is null for key share)
    update slices set state = 'done', result = ${JSON.stringify(slice.result)}::json,
           rows_failed = ${slice.rowsFailed}::int, finished_at = ${slice.now}::timestamptz
    from locked
    where job_id = locked.id and n = ${slice.n}::int and state = 'open' and attempt = ${slice.attempt}::int
    returning 1`.execute(tx);
  return rows.length === 1;
}

/**
 * Drops open slices that cannot change the outcome. Once `failLimit` failed rows are known, the row that ends the job
 * is in or before the slice where the known failures, counted in row order, reach the limit. Later slices cannot change
 * that; earlier slices can, so they still run.
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

/** Returns the lowest open slice, or undefined if none is open. */
export async function findNextOpenSlice(tx: Tx, jobId: string): Promise<number | undefined> {
  const { rows } = await sql<{ n: number | null }>`
    select min(n) as n from slices where job_id = ${jobId} and state = 'open'`.execute(tx);
  return rows[0]?.n ?? undefined;
}
