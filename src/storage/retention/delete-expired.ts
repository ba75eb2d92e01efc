import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** A key that was live when somebody looked must still be there when they read it, a moment later. */
const GRACE_MS = 60_000;

/** Request keys, with the responses they hold, whose window has passed. */
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
 * Deletes job records past their time, with slices, deliveries and events. The quota ledger stays: it is the bill. A job
 * that a request key still refers to stays too, because a replay answers with it, and so does a job whose result a later
 * job reuses, because that one lists its problem rows.
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

/** Events without a job (a surface's own) are kept as long as job records. */
export async function deleteOldEvents(db: Db, occurredBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events where id in (
      select e.id from events e where e.job_id is null and e.occurred_at < ${occurredBefore}
        and not exists (select from webhook_deliveries d where d.event_id = e.id and d.state = 'pending')
      limit ${limit} for update skip locked)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
