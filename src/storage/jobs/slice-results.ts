import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { prepared } from '../prepared-statements.ts';

export interface SliceResultRecord {
  readonly n: number;
  readonly state: 'done' | 'dropped' | 'open';
  readonly input: unknown;
  readonly result: unknown;
  readonly rows_total: number;
  readonly rows_failed: number | null;
}

export async function listSliceResults(db: Db, jobId: string): Promise<SliceResultRecord[]> {
  const { rows } = await sql<SliceResultRecord>`${prepared}
    select n, state, input, result, rows_total, rows_failed from slices where job_id = ${jobId}::uuid order by n`.execute(
    db,
  );
  return rows;
}

export interface SliceProblems {
  readonly jobId: string;
  readonly n: number;
  readonly count: number;
  readonly problems: Uint8Array;
}

/**
 * Stores the problems of a slice in the transaction that finishes it, unless earlier slices already hold `keep` problems.
 * Slices that end at the same time do not count each other, so a few more may be stored.
 */
export async function insertSliceProblems(tx: Tx, slice: SliceProblems, keep: number): Promise<void> {
  await sql`
    insert into slice_problems (job_id, n, count, problems)
    select ${slice.jobId}::uuid, ${slice.n}::int, ${slice.count}::int, ${Buffer.from(slice.problems)}::bytea
    where (select coalesce(sum(count), 0) from slice_problems
           where job_id = ${slice.jobId}::uuid and n < ${slice.n}::int) < ${keep}::int`.execute(tx);
}

/** Yields the problems slice by slice, in row order. Reads one slice at a time. */
export async function* eachSliceProblems(
  db: Db,
  jobId: string,
  fromSlice: number,
): AsyncGenerator<SliceProblems> {
  for (let n = fromSlice; ; ) {
    const { rows } = await sql<SliceProblems>`
      select job_id as "jobId", n, count, problems from slice_problems
      where job_id = ${jobId} and n >= ${n} order by n limit 1`.execute(db);
    const [slice] = rows;
    if (slice === undefined) return;
    yield slice;
    n = slice.n + 1;
  }
}

/** Counts the problems in the slices before `n`. */
export async function countProblemsBefore(db: Db, jobId: string, n: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::int as count from slice_problems where job_id = ${jobId} and n < ${n}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Sums the bytes that the finished slices of a job stored, for kinds whose results have a `length`. */
export async function sumSliceLengths(db: Db, jobId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum((result ->> 'length')::bigint), 0) as bytes
    from slices where job_id = ${jobId} and state = 'done'`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Maximum number of jobs counted per account. An account with more is last in the queue anyway, and counting would slow
 * down every create.
 */
export const MAX_COUNTED_JOBS = 200;

/** Counts the open slices of an account. New slices queue behind the first slices of other accounts. */
export async function countOpenSlices(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(open), 0)::int8 as open from (
      select slices_total - slices_done as open from jobs
      where account_id = ${accountId} and settled_at is null limit ${MAX_COUNTED_JOBS}) waiting`.execute(db);
  return rows[0]?.open ?? 0;
}
