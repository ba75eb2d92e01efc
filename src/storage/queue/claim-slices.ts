import type pg from 'pg';
import { type JobRecord, jobColumns } from '../jobs/find-jobs.ts';
import type { BegunSlice } from '../jobs/work-slices.ts';
import type { EntryClaim } from './claim-entries.ts';
import {
  type ClaimedEntry,
  type ClaimRow,
  type Claims,
  claimStatement,
  readClaims,
} from './claim-entries.ts';
import { lanes } from './lanes.ts';

export interface ClaimedSlice extends ClaimedEntry {
  /** Undefined if the slice or its job has ended, or another transaction holds the slice. */
  readonly begun: BegunSlice | undefined;
}

interface SliceRow extends ClaimRow, Omit<JobRecord, 'id'> {
  readonly id: string | null;
  readonly first: boolean;
  readonly attempt: number;
  readonly excused: number;
  readonly timeouts: number;
  readonly slice_input: unknown;
  readonly slice_rows: number;
}

/**
 * Claims slices and begins them, as `beginSlice` does one. Waits for no lock: a statement that holds some slices of a
 * job while it waits for others would deadlock with one that drops them. A job that another claim is starting is
 * started by that claim.
 *
 * The claim may return before it is on disk. If the database crashes and loses it, the slice is claimed again with the
 * same number, and whichever attempt ends first ends the slice.
 */
const CLAIM = claimStatement({
  with: `,
  held as materialized (
    select s.job_id, s.n, set_config('synchronous_commit', 'off', true) from claimed join slices s
      on s.job_id = (claimed.data->>'jobId')::uuid and s.n = (claimed.data->>'n')::int
    where s.state = 'open' and (select settled_at is null from jobs where id = s.job_id)
    for update of s skip locked),
  started as (
    update jobs set state = 'processing', started_at = coalesce(started_at, $6::timestamptz)
    where id = any(array(
      select id from jobs where id in (select job_id from held) and state = 'queued' for no key update skip locked))),
  begun as (
    update slices s set attempt = s.attempt + 1, started_at = $6::timestamptz
    from held where s.job_id = held.job_id and s.n = held.n
    returning s.job_id, s.n, s.attempt, s.excused, s.timeouts, s.input as slice_input, s.rows_total as slice_rows)`,
  columns: `, ${jobColumns('jobs')}, begun.attempt, begun.excused, begun.timeouts, begun.slice_input, begun.slice_rows,
    row_number() over (partition by begun.job_id, begun.n order by claimed.id) = 1 as first`,
  join: `
    left join begun on begun.job_id = (claimed.data->>'jobId')::uuid and begun.n = (claimed.data->>'n')::int
    left join jobs on jobs.id = begun.job_id`,
});

export async function claimSlices(
  pool: pg.Pool,
  { name, limit, from, oldestFirst }: EntryClaim,
  now: Date,
): Promise<Claims<ClaimedSlice>> {
  const { rows } = await pool.query<SliceRow>(CLAIM, [name, lanes, from, limit, oldestFirst, now]);
  return readClaims(rows, (row, entry) => ({ ...entry, begun: readBegun(row) }));
}

/** A second entry of the same slice begins it separately, so that every attempt has its own number. */
function readBegun(row: SliceRow): BegunSlice | undefined {
  const { heads, claimed_at, entry_id, retry_count, data, first, ...columns } = row;
  const { attempt, excused, timeouts, slice_input: input, slice_rows: rows_total, id, ...job } = columns;
  if (id === null || !first) return undefined;
  return { job: { id, ...job }, attempt, excused, timeouts, input, rows_total };
}
