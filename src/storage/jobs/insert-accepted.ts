import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Jobs } from '../db-types.ts';
import { json } from '../json.ts';
import { prepared } from '../prepared-statements.ts';
import { claimStatement, type RequestKeyClaim } from '../request-keys.ts';
import { type JobRecord, jobColumns } from './find-jobs.ts';
import { MAX_COUNTED_JOBS } from './slice-results.ts';

export interface NewSlice {
  readonly input: unknown;
  readonly rows: number;
}

export type NewJob = Omit<Insertable<Jobs>, 'input' | 'outcome'> & {
  readonly input: unknown;
  readonly outcome?: unknown;
};

export async function insertJob(db: Db, job: NewJob): Promise<void> {
  await db
    .insertInto('jobs')
    .values({ ...job, input: json(job.input), outcome: json(job.outcome ?? null) })
    .execute();
}

export interface AcceptedRows {
  /** Undefined: every request creates a new job. */
  readonly claim: RequestKeyClaim | undefined;
  readonly job: Omit<Insertable<Jobs>, 'input' | 'outcome' | 'state'> & { readonly input: unknown };
  readonly slices: readonly NewSlice[];
  readonly ledger: { readonly period: string; readonly rows: number; readonly limited: boolean } | undefined;
}

const columns = sql.raw(jobColumns());

/**
 * Inserts everything that belongs to a new job in one statement, because round trips dominate the cost of a create and
 * this used to take six. Every part depends on the claim: if another request holds the key, nothing is written and the
 * result is undefined. `alreadyOpen` is the number of slices that the account had open before.
 */
export async function insertAccepted(
  tx: Tx,
  { claim, job, slices, ledger }: AcceptedRows,
): Promise<{ readonly job: JobRecord; readonly alreadyOpen: number } | undefined> {
  const claimed = claim === undefined ? sql`select 1` : claimStatement(claim);
  const paid =
    ledger === undefined
      ? sql`select 1`
      : sql`
      insert into quota_ledger (job_id, account_id, period, reserved_rows, limited, created_at)
      select ${job.id}::uuid, ${job.account_id}::uuid, ${ledger.period}::text, ${ledger.rows}::int8,
             ${ledger.limited}::bool, ${job.created_at}::timestamptz from claimed`;
  const { rows } = await sql<JobRecord & { already_open: number }>`${prepared}
    with claimed as (${claimed}),
    made as (
      insert into jobs (id, account_id, kind, state, input, ordered, fail_limit, slices_total, rows_total,
                        request_key, request_id, work_digest, created_at)
      select ${job.id}::uuid, ${job.account_id}::uuid, ${job.kind}::text, 'queued', ${JSON.stringify(job.input)}::json,
             ${job.ordered}::bool, ${job.fail_limit ?? null}::int8, ${job.slices_total}::int4, ${job.rows_total}::int8,
             ${job.request_key ?? null}::text, ${job.request_id ?? null}::text, ${job.work_digest ?? null}::bytea,
             ${job.created_at}::timestamptz from claimed
      returning ${columns}),
    cut as (
      insert into slices (job_id, n, state, input, rows_total)
      select made.id, (s.ordinality - 1)::int, 'open', s.value->'input', (s.value->>'rows')::int
      from made, json_array_elements(${JSON.stringify(slices)}::json) with ordinality s),
    paid as (${paid})
    select ${columns}, (
      select coalesce(sum(open), 0)::int8 from (
        select slices_total - slices_done as open from jobs
        where account_id = ${job.account_id} and settled_at is null limit ${MAX_COUNTED_JOBS}) waiting) as already_open
    from made`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { already_open: alreadyOpen, ...inserted } = row;
  return { job: inserted, alreadyOpen };
}
