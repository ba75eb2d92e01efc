import type { Tx } from '#storage/database.ts';
import {
  copySettledDelivery,
  countWaitingDeliveries,
  findWebhookDelivery,
  hastenDelivery,
} from '#storage/webhooks.ts';
import type { WebhookParts } from './webhook-parts.ts';

/**
 * Result of a manual redelivery. A pending delivery is attempted now. A settled one stays unchanged; a new delivery of
 * the same event (same id, same bytes, its own schedule) is created beside it.
 */
export type Redelivered =
  | { readonly ok: true; readonly deliveryId: string }
  | { readonly ok: false; readonly reason: 'unknown' | 'running' };

/** `alongside` commits with the redelivery. */
export async function redeliver(
  parts: WebhookParts,
  deliveryId: string,
  alongside?: (tx: Tx) => Promise<void>,
): Promise<Redelivered> {
  const now = parts.clock.now();
  return parts.database.db.transaction().execute(async (tx): Promise<Redelivered> => {
    const delivery = await findWebhookDelivery(tx, deliveryId);
    if (delivery === undefined) return { ok: false, reason: 'unknown' };
    const newId = parts.ids.uuid();
    const copied = await copySettledDelivery(tx, deliveryId, newId, now);
    if (!copied && !(await hastenDelivery(tx, deliveryId, now))) return { ok: false, reason: 'running' };
    const due = copied ? newId : deliveryId;
    await parts.queue.addWebhook(tx, due, now, await countWaitingDeliveries(tx, delivery.account_id));
    await alongside?.(tx);
    return { ok: true, deliveryId: due };
  });
}
