import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * Lets go of one settled job's delivery and inputs now. An artifact that other jobs have borrowed stays for
 * them; this job's own delivery ends in any case.
 */
export async function purgeJob(db: Db, jobId: string, now: Date): Promise<void> {
  await sql`
    with ended as (
      update deliveries set expires_at = least(expires_at, ${now}) where job_id = ${jobId} returning artifact_id, job_id),
    purged as (
      update artifacts a set purged_at = ${now} from ended e
      where a.id = e.artifact_id and a.purged_at is null
        and not exists (select from deliveries d where d.artifact_id = a.id and d.job_id <> e.job_id and d.expires_at > ${now})
      returning a.job_id)
    delete from blob_refs b where b.job_id in (select job_id from purged) or (b.job_id = ${jobId} and b.role = 'input')`.execute(
    db,
  );
}
