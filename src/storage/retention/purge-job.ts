import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Lets go of one settled job's delivery and inputs now. An artifact that other jobs have borrowed stays for
 * them; this job's own delivery ends in any case.
 */
export async function purgeJob(db: Db, jobId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // First, in a statement of its own: a job that is borrowing the artifact holds it, and is seen only by what begins after it.
    await sql`
      select from artifacts where id in (select artifact_id from deliveries where job_id = ${jobId}) for update`.execute(
      tx,
    );
    await sql`
      with ended as (
        update deliveries set expires_at = least(expires_at, ${now}) where job_id = ${jobId} returning artifact_id, job_id),
      purged as (
        update artifacts a set purged_at = ${now} from ended e
        where a.id = e.artifact_id and a.purged_at is null
          and not exists (select from deliveries d where d.artifact_id = a.id and d.job_id <> e.job_id and d.expires_at > ${now})
        returning a.job_id)
      delete from blob_refs b where b.job_id in (select job_id from purged) or (b.job_id = ${jobId} and b.role = 'input')`.execute(
      tx,
    );
  });
}
