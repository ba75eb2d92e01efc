import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { JobRecord } from './find-job.ts';

/** Starts one attempt to settle; like a slice's, its number fences the write that ends the job. */
export async function beginSettle(db: Db, jobId: string): Promise<JobRecord | undefined> {
  const { rows } = await sql<JobRecord>`
    update jobs set settle_attempt = settle_attempt + 1
    where id = ${jobId} and state in ('queued', 'processing')
      and not exists (select from slices where job_id = ${jobId} and state = 'open')
    returning *`.execute(db);
  return rows[0];
}
