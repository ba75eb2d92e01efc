import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Brings the next attempt of a waiting delivery forward. False: it is not waiting, or an attempt is running. */
export async function hastenDelivery(tx: Tx, deliveryId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries d set next_attempt_at = least(next_attempt_at, ${now})
    where id = ${deliveryId} and state = 'pending'
      and not exists (select from webhook_attempts a where a.delivery_id = d.id and a.finished_at is null)
    returning id`.execute(tx);
  return rows.length === 1;
}

/** A new delivery of the same event to the same target, due now. False: unknown, or not settled yet. */
export async function copySettledDelivery(
  tx: Tx,
  deliveryId: string,
  newId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_deliveries
      (id, event_id, account_id, target_url, secrets, scheme, state, next_attempt_at, created_at)
    select ${newId}::uuid, event_id, account_id, target_url, secrets, scheme, 'pending', ${now}, ${now}
    from webhook_deliveries where id = ${deliveryId} and state <> 'pending'
    returning id`.execute(tx);
  return rows.length === 1;
}
