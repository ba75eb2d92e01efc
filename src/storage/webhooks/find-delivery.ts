import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { WebhookAttempts, WebhookDeliveries } from '../db-types.ts';

/** Without its secrets: nobody who shows a delivery needs them. */
export type DeliveryRecord = Omit<Selectable<WebhookDeliveries>, 'secrets'>;

const columns = [
  'id',
  'event_id',
  'account_id',
  'target_url',
  'scheme',
  'state',
  'attempt',
  'first_failed_at',
  'next_attempt_at',
  'delivered_at',
  'created_at',
] as const;

export function findWebhookDelivery(db: Db, id: string): Promise<DeliveryRecord | undefined> {
  return db.selectFrom('webhook_deliveries').select(columns).where('id', '=', id).executeTakeFirst();
}

export function listAttempts(db: Db, deliveryId: string): Promise<Selectable<WebhookAttempts>[]> {
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('n')
    .execute();
}
