import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';
import { foundJobs, type JobSearch } from './search-jobs.ts';

export type JobState = 'queued' | 'processing' | 'completed' | 'failed';

/** A job as the console lists it, without its input, which may be long. */
export interface JobSummary {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly account_id: string;
  readonly account_name: string;
  readonly rows_total: number;
  readonly rows_done: number;
  readonly rows_failed: number;
  readonly slices_total: number;
  readonly slices_done: number;
  readonly outcome: unknown;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly request_key: string | null;
  readonly request_id: string | null;
  readonly cancelled: boolean;
  readonly reused_from: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly settled_at: Date | null;
}

export interface JobFilter {
  readonly surface?: string | undefined;
  /** Only jobs of these surfaces. */
  readonly surfaces?: readonly string[] | undefined;
  readonly state?: string | undefined;
  readonly accountId?: string | undefined;
  readonly search?: JobSearch | undefined;
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined;
  readonly limit: number;
}

const columns = sql`j.id, j.kind, j.state, j.account_id, a.name as account_name, j.rows_total, j.rows_done, j.rows_failed,
  j.slices_total, j.slices_done, j.outcome, j.error_code, j.error_message, j.request_key, j.request_id, j.cancelled,
  j.reused_from, j.created_at, j.started_at, j.settled_at`;
const source = sql`from jobs j join accounts a on a.id = j.account_id`;

/**
 * Lists jobs of all surfaces and accounts, newest first, one more than the limit. Undefined filters add no condition.
 */
export async function listAllJobs(db: Db, filter: JobFilter): Promise<JobSummary[]> {
  const { surface, surfaces, state, accountId, search, after } = filter;
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (surface !== undefined) conditions.push(sql`j.kind like ${`${surface}.%`}`);
  if (surfaces !== undefined)
    conditions.push(sql`j.kind like any(${surfaces.map((name) => `${name}.%`)}::text[])`);
  if (state !== undefined) conditions.push(sql`j.state = ${state}`);
  if (accountId !== undefined) conditions.push(sql`j.account_id = ${accountId}`);
  if (after !== undefined) conditions.push(sql`(j.created_at, j.id) < (${after.createdAt}, ${after.id})`);
  const where = sql.join(conditions, sql` and `);
  const limit = filter.limit + 1;
  const chosen =
    search === undefined ? where : sql`j.id in (select f.id from (${foundJobs(search, where, limit)}) f)`;
  const { rows } = await sql<JobSummary>`
    select ${columns} ${source} where ${chosen}
    order by j.created_at desc, j.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Lists unsettled jobs, oldest first. */
export async function listOpenJobs(db: Db, limit: number): Promise<JobSummary[]> {
  const { rows } = await sql<JobSummary>`
    select ${columns} ${source} where j.state in ('queued', 'processing')
    order by j.created_at limit ${limit}`.execute(db);
  return rows;
}

export async function listJobsById(db: Db, ids: readonly string[]): Promise<JobSummary[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<JobSummary>`
    select ${columns} ${source} where j.id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

export interface SliceSummary {
  readonly total: number;
  readonly open: number;
  readonly running: number;
  readonly done: number;
  readonly dropped: number;
  /** The highest number of attempts of any slice. */
  readonly max_attempt: number;
}

export async function sumSlices(db: Db, jobId: string): Promise<SliceSummary> {
  const { rows } = await sql<SliceSummary>`
    select count(*)::int as total,
      (count(*) filter (where state = 'open'))::int as open,
      (count(*) filter (where state = 'open' and started_at is not null))::int as running,
      (count(*) filter (where state = 'done'))::int as done,
      (count(*) filter (where state = 'dropped'))::int as dropped,
      coalesce(max(attempt), 0)::int as max_attempt
    from slices where job_id = ${jobId}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('bug: the sum returned no row');
  return found;
}

export interface InputBlob {
  /** The name of the blob in the store. */
  readonly name: string;
  readonly sha256: string;
  readonly size_bytes: number;
}

/** Lists the inputs that a job still references, by the SHA-256 and the size of their contents. */
export async function listInputBlobs(db: Db, jobId: string): Promise<InputBlob[]> {
  const { rows } = await sql<InputBlob>`
    select b.digest as name, coalesce(b.content_sha256, b.digest) as sha256, b.size_bytes from blob_refs r join blobs b on b.digest = r.digest
    where r.job_id = ${jobId} and r.role = 'input' order by b.size_bytes desc`.execute(db);
  return rows;
}

/** Returns the digest of each named part of the request that created the job, while its key is stored. */
export async function findBodyParts(
  db: Db,
  jobId: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { rows } = await sql<{ body_parts: Record<string, string> | null }>`
    select body_parts from request_keys where job_id = ${jobId} limit 1`.execute(db);
  return rows[0]?.body_parts ?? undefined;
}

export interface NamedThing {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

/** Finds keys by their public half. The caller passes only that half of a pasted key. */
export async function searchKeys(db: Db, publicId: string): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    select k.id, k.name, k.surface || ' · ' || a.name as detail
    from api_keys k join accounts a on a.id = k.account_id where k.id = ${publicId}`.execute(db);
  return rows;
}

export async function searchAccounts(db: Db, text: string, limit: number): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    select id, name, plan as detail from accounts
    where id::text = lower(${text}) or strpos(lower(name), lower(${text})) > 0
    order by name limit ${limit}`.execute(db);
  return rows;
}
