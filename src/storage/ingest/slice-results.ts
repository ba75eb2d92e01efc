import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface Counts {
  readonly accepted: number;
  readonly replay: number;
  readonly quarantined: number;
  readonly rejected: number;
}

export async function insertSliceResults(
  tx: Tx,
  jobId: string,
  n: number,
  counts: Counts,
  results: Buffer,
): Promise<void> {
  await tx
    .insertInto('ingest_slice_results')
    .values({ job_id: jobId, n, ...counts, results })
    .execute();
}

/** Of the slices that have committed, which is all there is to know while a job runs. */
export async function sumSliceResults(db: Db, jobId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select coalesce(sum(accepted), 0)::bigint as accepted, coalesce(sum(replay), 0)::bigint as replay,
           coalesce(sum(quarantined), 0)::bigint as quarantined, coalesce(sum(rejected), 0)::bigint as rejected
    from ingest_slice_results where job_id = ${jobId}`.execute(db);
  return rows[0] ?? { accepted: 0, replay: 0, quarantined: 0, rejected: 0 };
}

/** The first slice at or after `n` that has results. */
export async function findSliceResults(
  db: Db,
  jobId: string,
  n: number,
): Promise<{ readonly n: number; readonly results: Buffer } | undefined> {
  return db
    .selectFrom('ingest_slice_results')
    .select(['n', 'results'])
    .where('job_id', '=', jobId)
    .where('n', '>=', n)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst();
}
