import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface ClaimedDelivery {
  readonly id: string;
  /** Fences everything this attempt writes later. */
  readonly attempt: number;
  readonly account_id: string;
  readonly target_url: string;
  readonly secrets: Buffer;
  readonly scheme: 'bulkfill' | 'standard' | 'ingest';
  readonly first_failed_at: Date | null;
  readonly event_id: string;
  readonly type: string;
  readonly body: Buffer;
  /** Attempts that ended and failed; those a crash interrupted are not among them. */
  readonly failures: number;
}

/**
 * Starts one attempt, in one statement: takes the delivery if it is due, writes down that the attempt began,
 * and closes the record of an attempt that a crash left open.
 *
 * `next_attempt_at` moves to the end of this attempt's lease, so that no second attempt starts beside it and
 * a crashed one is tried again without anyone having noticed the crash. Undefined: settled, unknown, or not
 * due.
 */
export async function claimDelivery(
  db: Db,
  deliveryId: string,
  now: Date,
  leaseEndsAt: Date,
): Promise<ClaimedDelivery | undefined> {
  const { rows } = await sql<ClaimedDelivery>`
    with claimed as (
      update webhook_deliveries set attempt = attempt + 1, next_attempt_at = ${leaseEndsAt}
      where id = ${deliveryId} and state = 'pending' and next_attempt_at <= ${now}
      returning *
    ), interrupted as (
      update webhook_attempts a set finished_at = ${now}, error = 'interrupted'
      from claimed c where a.delivery_id = c.id and a.finished_at is null
    ), begun as (
      insert into webhook_attempts (delivery_id, n, started_at) select id, attempt, ${now} from claimed
    )
    select c.id, c.attempt, c.account_id, c.target_url, c.secrets, c.scheme, c.first_failed_at,
      e.id as event_id, e.type, e.body,
      (select count(*) from webhook_attempts a
       where a.delivery_id = c.id and a.finished_at is not null and a.error is distinct from 'interrupted') as failures
    from claimed c join events e on e.id = c.event_id`.execute(db);
  return rows[0];
}
