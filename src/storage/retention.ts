import { sql } from 'kysely';
import type { Db } from './database.ts';

/** A caller that found a live key reads it a moment later, so expired keys are kept this much longer. */
const GRACE_MS = 60_000;

/** Deletes expired request keys and the responses stored with them. */
export async function deleteExpiredRequestKeys(db: Db, now: Date, limit: number): Promise<number> {
  const before = new Date(now.getTime() - GRACE_MS);
  const { numAffectedRows } = await sql`
    delete from request_keys where (account_id, scope, key) in (
      select account_id, scope, key from request_keys where expires_at <= ${before} limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes jobs that are past their retention, with slices, deliveries and events. Keeps the quota ledger, which is the
 * bill, jobs that a request key still references (a replay returns them), and jobs whose result a later job reuses
 * (that job lists their problem rows).
 */
export async function deleteOldJobs(db: Db, settledBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from jobs where id in (
      select id from jobs j where j.settled_at < ${settledBefore}
        and not exists (select from artifacts a where a.job_id = j.id and a.purged_at is null)
        and not exists (select from request_keys k where k.job_id = j.id)
        and not exists (select from jobs r where r.reused_from = j.id)
      limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Deletes old events without a job (those of a surface), which are kept as long as jobs. */
export async function deleteOldEvents(db: Db, occurredBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id in (
      select e.id from events e where e.job_id is null and e.occurred_at < ${occurredBefore}
        and not exists (select from webhook_deliveries d where d.event_id = e.id and d.state = 'pending')
      limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** A reader that was not seen for this long is considered gone. */
const READER_SILENCE = '10 minutes';

/**
 * Purges artifacts one hour after the last delivery expired, once nobody is reading them, or when `purge_at` is reached
 * in any case. Returns how many. Deletes the blob references of their jobs; the blob sweep deletes the blobs. Inputs of
 * settled jobs without an artifact are released after `inputsSettledBefore`.
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

/**
 * Purges the delivery and inputs of one settled job now. An artifact that other jobs reuse stays for them; this job's
 * own delivery ends in any case.
 */
export async function purgeJob(db: Db, jobId: string, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // A separate statement first: a job that is reusing the artifact holds this lock, and only statements that start
    // after it see that job.
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
