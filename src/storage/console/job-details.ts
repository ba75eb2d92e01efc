import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface SliceSummary {
  readonly total: number;
  readonly open: number;
  readonly running: number;
  readonly done: number;
  readonly dropped: number;
  /** The highest number of attempts any slice took. */
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
  if (found === undefined) throw new Error('bug: a sum without a row');
  return found;
}

/** The inputs a job still refers to, by digest and size. */
export async function listInputBlobs(
  db: Db,
  jobId: string,
): Promise<{ readonly digest: string; readonly size_bytes: number }[]> {
  const { rows } = await sql<{ digest: string; size_bytes: number }>`
    select b.digest, b.size_bytes from blob_refs r join blobs b on b.digest = r.digest
    where r.job_id = ${jobId} and r.role = 'input' order by b.size_bytes desc`.execute(db);
  return rows;
}

/** The digest of each named part of the request that made the job, while its key is kept. */
export async function findBodyParts(
  db: Db,
  jobId: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const { rows } = await sql<{ body_parts: Record<string, string> | null }>`
    select body_parts from request_keys where job_id = ${jobId} limit 1`.execute(db);
  return rows[0]?.body_parts ?? undefined;
}
