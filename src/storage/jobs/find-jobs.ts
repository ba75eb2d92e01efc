import { type Selectable, sql } from 'kysely';
import type { Db } from '../database.ts';
import type { Jobs } from '../db-types.ts';
import { everyColumn, prepared } from '../prepared-statements.ts';

export type JobRecord = Selectable<Jobs>;

export const jobColumns = everyColumn<Jobs>({
  id: true,
  account_id: true,
  kind: true,
  state: true,
  input: true,
  outcome: true,
  error_code: true,
  error_message: true,
  error_details: true,
  ordered: true,
  cancelled: true,
  fail_limit: true,
  slices_total: true,
  slices_done: true,
  rows_total: true,
  rows_done: true,
  rows_failed: true,
  settle_attempt: true,
  settle_excused: true,
  request_key: true,
  request_id: true,
  work_digest: true,
  reused_from: true,
  created_at: true,
  started_at: true,
  settled_at: true,
});

const columns = sql.raw(jobColumns());

export async function findJob(db: Db, id: string): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`${prepared}
    select ${columns} from jobs where id = ${id}::uuid`.execute(db);
  return rows[0];
}

export async function getJob(db: Db, id: string): Promise<JobRecord> {
  const job = await findJob(db, id);
  if (job === undefined) throw new Error(`bug: job ${id} does not exist`);
  return job;
}

/** Returns undefined for unknown ids and for ids of other accounts: the caller cannot tell them apart. */
export async function findJobOf(
  db: Db,
  accountId: string,
  kind: string,
  id: string,
): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`${prepared}
    select ${columns} from jobs
    where id = ${id}::uuid and account_id = ${accountId}::uuid and kind = ${kind}::text`.execute(db);
  return rows[0];
}

/**
 * Locks a job to end it. Waits for the transactions that end its slices, and for its tallies.
 */
export async function lockJob(tx: Db, id: string): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`${prepared}
    select ${columns} from jobs where id = ${id}::uuid for update`.execute(tx);
  return rows[0];
}

export interface JobPage {
  readonly accountId: string;
  readonly kind: string;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string };
}

/** Returns the newest first, with one row more than the page holds if there is a next page. */
export function listJobs(db: Db, page: JobPage): Promise<JobRecord[]> {
  let query = db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', page.accountId)
    .where('kind', '=', page.kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1);
  const { after } = page;
  if (after !== undefined) {
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created_at', 'id'), '<', tuple(after.createdAt, after.id)),
    );
  }
  return query.execute();
}
