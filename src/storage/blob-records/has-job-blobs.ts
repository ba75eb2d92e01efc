import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { BlobRole } from './lock-blobs.ts';

/** Whether a job still holds blobs in this role. */
export async function hasJobBlobs(db: Db, jobId: string, role: BlobRole): Promise<boolean> {
  const { rows } = await sql`
    select from blob_refs where job_id = ${jobId} and role = ${role} limit 1`.execute(db);
  return rows.length > 0;
}
