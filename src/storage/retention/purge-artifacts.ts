import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A reader that gave no sign for so long has gone. */
const READER_SILENCE = '10 minutes';

/**
 * Lets go of artifacts: an hour after the last delivery has expired and nobody reads any more, or when their
 * time is up in any case. Returns how many. The job's blobs lose their references; the blob sweep does the
 * rest. Inputs of settled jobs without an artifact share the same bound.
 */
export async function purgeArtifacts(db: Db, now: Date, inputsSettledBefore: Date): Promise<number> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<{ purged: number }>`
    with due as (
      select a.id, a.job_id from artifacts a
      where a.purged_at is null and (
        a.purge_at <= ${now}
        or (not exists (select from deliveries d where d.artifact_id = a.id and d.expires_at > ${hourAgo})
            and not exists (select from artifact_readers r where r.artifact_id = a.id and r.seen_at > ${now}::timestamptz - interval '${sql.raw(READER_SILENCE)}')))
      for update of a skip locked),
    purged as (update artifacts a set purged_at = ${now} from due where a.id = due.id returning a.job_id),
    released as (delete from blob_refs b using purged p where b.job_id = p.job_id)
    select count(*)::int as purged from purged`.execute(db);
  await sql`
    delete from blob_refs b using jobs j
    where j.id = b.job_id and j.settled_at < ${inputsSettledBefore}
      and not exists (select from artifacts a where a.job_id = j.id and a.purged_at is null)`.execute(db);
  return rows[0]?.purged ?? 0;
}
