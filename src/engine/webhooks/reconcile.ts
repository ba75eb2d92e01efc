import { countWaitingDeliveries, listStrandedDeliveries } from '#storage/webhooks.ts';
import type { WebhookParts } from './webhook-parts.ts';

/** A delivery due more recently may be on its way into or out of the queue. */
const GRACE_MS = 30_000;
const BATCH = 1_000;

/** Enqueues due deliveries without a queue entry. Safe on all nodes at once. */
export async function reconcileWebhooks(parts: WebhookParts, graceMs = GRACE_MS): Promise<number> {
  const now = parts.clock.now();
  const { db } = parts.database;
  const stranded = await listStrandedDeliveries(db, new Date(now.getTime() - graceMs), BATCH);
  for (const { id, account_id } of stranded) {
    await db.transaction().execute(async (tx) => {
      await parts.queue.addWebhook(tx, id, now, await countWaitingDeliveries(tx, account_id));
    });
  }
  return stranded.length;
}
