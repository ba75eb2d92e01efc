import { sql } from 'kysely';
import { withEntry } from './console/due-entry.ts';
import type { Db } from './database.ts';

/** A caller that found a live key reads it a moment later, so expired keys are kept this much longer. */
const GRACE_MS = 60_000;

/** Deletes expired request keys and the responses stored with them. Returns the jobs of the keys. */
export async function deleteExpiredRequestKeys(
  db: Db,
  now: Date,
  limit: number,
): Promise<{ readonly deleted: number; readonly jobIds: readonly string[] }> {
  const before = new Date(now.getTime() - GRACE_MS);
  const { rows } = await sql<{ job_id: string | null }>`
    delete from request_keys where (account_id, scope, key) in (
      select account_id, scope, key from request_keys where expires_at <= ${before}
      order by expires_at limit ${limit} for update skip locked)
    returning job_id`.execute(db);
  return { deleted: rows.length, jobIds: rows.flatMap(({ job_id: id }) => id ?? []) };
}

/** A place in a list that is ordered by time and id. */
export interface TimedRow {
  readonly id: string;
  readonly at: Date;
}

/** Lists jobs that settled in the window, oldest first, after a place in it. */
export async function listSettledJobs(
  db: Db,
  window: Window,
  after: TimedRow | undefined,
  limit: number,
): Promise<TimedRow[]> {
  const { rows } = await sql<TimedRow>`
    select id, settled_at as at from jobs
    where settled_at >= ${after?.at ?? window.from} and settled_at < ${window.until}
      and (settled_at, id) > (${after?.at ?? window.from}, ${after?.id ?? FIRST_ID}::uuid)
    order by settled_at, id limit ${limit}`.execute(db);
  return rows;
}

/** From (inclusive) until (exclusive). */
export interface Window {
  readonly from: Date;
  readonly until: Date;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Deletes those of the given jobs that are past their retention, with slices, deliveries and events. Keeps the quota ledger, which is the
 * bill, jobs that a request key still references (a replay returns them), and jobs whose result a later job reuses
 * (that job lists their problem rows). Returns the jobs whose result the deleted ones reused.
 */
export async function deleteOldJobs(
  db: Db,
  ids: readonly string[],
  settledBefore: Date,
): Promise<{ readonly deleted: number; readonly reused: readonly string[] }> {
  if (ids.length === 0) return { deleted: 0, reused: [] };
  const { rows } = await sql<{ reused_from: string | null }>`
    delete from jobs where id in (
      select id from jobs j where j.id = any(${ids}::uuid[]) and j.settled_at < ${settledBefore}
        and not exists (select from artifacts a where a.job_id = j.id and a.purged_at is null)
        and not exists (select from request_keys k where k.job_id = j.id)
        and not exists (select from jobs r where r.reused_from = j.id)
      for update skip locked)
    returning reused_from`.execute(db);
  return { deleted: rows.length, reused: rows.flatMap(({ reused_from: id }) => id ?? []) };
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

export interface PurgedArtifacts {
  /** The jobs of the purged artifacts. */
  readonly jobIds: readonly string[];
  /** The last delivery that was examined; undefined if there is none left. */
  readonly last: TimedRow | undefined;
}

/**
 * Purges artifacts one hour after the last delivery expired, once nobody is reading them. Deletes the blob references of their
 * jobs; the blob sweep deletes the blobs. Examines the next `limit` expired deliveries, and marks those that need no further look:
 * their artifact is purged, or a later delivery keeps it.
 */
export async function purgeDelivered(
  db: Db,
  now: Date,
  after: TimedRow | undefined,
  limit: number,
): Promise<PurgedArtifacts> {
  const hourAgo = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<{ job_ids: string[]; last_id: string | null; last_at: Date | null }>`
    with expired as materialized (
      select id, artifact_id, expires_at from deliveries
      where not swept and expires_at <= ${hourAgo}
        and (expires_at, id) > (${after?.at ?? new Date(0)}, ${after?.id ?? FIRST_ID}::uuid)
      order by expires_at, id limit ${limit}),
    due as (
      select a.id from artifacts a
      where a.purged_at is null and a.id in (select artifact_id from expired)
        and not exists (select from deliveries d where d.artifact_id = a.id and d.expires_at > ${hourAgo})
        and not exists (select from artifact_readers r where r.artifact_id = a.id and r.seen_at > ${now}::timestamptz - interval '${sql.raw(READER_SILENCE)}')
      for update of a skip locked),
    purged as (update artifacts a set purged_at = ${now} from due where a.id = due.id returning a.id, a.job_id),
    released as (delete from blob_refs b using purged p where b.job_id = p.job_id),
    done as (
      update deliveries d set swept = true from expired e
      where d.id = e.id and (
        e.artifact_id in (select id from purged)
        or exists (select from artifacts a where a.id = e.artifact_id and a.purged_at is not null)
        or exists (select from deliveries o where o.artifact_id = e.artifact_id and not o.swept and o.expires_at > ${hourAgo})))
    select (select coalesce(array_agg(job_id), '{}') from purged) as job_ids, last.id as last_id, last.expires_at as last_at
    from (select) one left join (select id, expires_at from expired order by expires_at desc, id desc limit 1) last on true`.execute(
    db,
  );
  const { job_ids: jobIds = [], last_id: id = null, last_at: at = null } = rows[0] ?? {};
  return { jobIds, last: id === null || at === null ? undefined : { id, at } };
}

/** Purges artifacts whose `purge_at` is reached, even if somebody is reading them. Returns their jobs. */
export async function purgeOverdue(db: Db, now: Date, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ job_id: string }>`
    with due as (
      select id from artifacts where purged_at is null and purge_at <= ${now}
      order by purge_at limit ${limit} for update skip locked),
    purged as (update artifacts a set purged_at = ${now} from due where a.id = due.id returning a.job_id),
    released as (delete from blob_refs b using purged p where b.job_id = p.job_id)
    select job_id from purged`.execute(db);
  return rows.map(({ job_id }) => job_id);
}

/** Deletes the blob references of jobs without an artifact that settled in the window. */
export async function releaseInputs(db: Db, { from, until }: Window): Promise<void> {
  await sql`
    delete from blob_refs b using jobs j
    where j.id = b.job_id and j.settled_at >= ${from} and j.settled_at < ${until}
      and not exists (select from artifacts a where a.job_id = j.id and a.purged_at is null)`.execute(db);
}

/**
 * Purges the delivery and inputs of one settled job now. An artifact that other jobs reuse stays for them; this job's
 * own delivery ends in any case.
 */
export async function purgeJob(db: Db, jobId: string, now: Date): Promise<void> {
  await withEntry(db, async (tx) => {
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
