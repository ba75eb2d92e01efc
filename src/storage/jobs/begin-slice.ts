import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface BegunSlice {
  readonly attempt: number;
  readonly timeouts: number;
  readonly input: unknown;
  readonly rows_total: number;
}

/**
 * Starts one attempt. The number returned fences every later write of this attempt: whoever begins the slice
 * again makes all earlier numbers worthless. Undefined: the slice or its job has already ended.
 */
export async function beginSlice(
  db: Db,
  jobId: string,
  n: number,
  now: Date,
): Promise<BegunSlice | undefined> {
  const { rows } = await sql<BegunSlice>`
    with started as (
      update jobs set state = 'processing', started_at = coalesce(started_at, ${now})
      where id = ${jobId} and state = 'queued')
    update slices set attempt = attempt + 1, started_at = ${now}
    where job_id = ${jobId} and n = ${n} and state = 'open'
      and exists (select from jobs where id = ${jobId} and state in ('queued', 'processing'))
    returning attempt, timeouts, input, rows_total`.execute(db);
  return rows[0];
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
