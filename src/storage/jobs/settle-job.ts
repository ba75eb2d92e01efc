import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { prepared } from '../prepared-statements.ts';
import { type JobRecord, jobColumns } from './find-jobs.ts';

const columns = sql.raw(jobColumns());

/** Starts one attempt to settle. As with slices, the attempt number fences the write that ends the job. */
export async function beginSettle(db: Db, jobId: string): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`${prepared}
    update jobs set settle_attempt = settle_attempt + 1
    where id = ${jobId}::uuid and state in ('queued', 'processing')
      and not exists (select from slices where job_id = ${jobId}::uuid and state = 'open')
    returning ${columns}`.execute(db);
  return rows[0];
}

/** Marks an attempt to settle as one that does not count. Does nothing if a later attempt has begun. */
export async function excuseSettle(db: Db, jobId: string, attempt: number): Promise<void> {
  await sql`
    update jobs set settle_excused = settle_excused + 1
    where id = ${jobId} and settled_at is null and settle_attempt = ${attempt}`.execute(db);
}

export interface JobSettlement {
  readonly jobId: string;
  /** The attempt that may settle, or undefined if the caller holds the job's lock and ends it from outside. */
  readonly attempt: number | undefined;
  readonly state: 'completed' | 'failed';
  readonly outcome: unknown;
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown } | undefined;
  readonly cancelled: boolean;
  readonly now: Date;
}

/** Ends a job; no other statement does. Returns undefined if it has already ended or a later attempt has begun. */
export async function settleJob(tx: Tx, settlement: JobSettlement): Promise<JobRecord | undefined> {
  const { error } = settlement;
  const details = error?.details === undefined ? null : JSON.stringify(error.details);
  const { rows } = await sql<JobRecord>`${prepared}
    update jobs set state = ${settlement.state}::text, settled_at = ${settlement.now}::timestamptz,
      outcome = ${JSON.stringify(settlement.outcome ?? null)}::json,
      error_code = ${error?.code ?? null}::text, error_message = ${error?.message ?? null}::text,
      error_details = ${details}::json, cancelled = ${settlement.cancelled}::bool
    where id = ${settlement.jobId}::uuid and state in ('queued', 'processing')
      and (${settlement.attempt ?? null}::int is null or settle_attempt = ${settlement.attempt ?? null}::int)
    returning ${columns}`.execute(tx);
  return rows[0];
}
