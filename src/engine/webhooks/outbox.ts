import { countWaitingDeliveries, insertEventWithDeliveries } from '#storage/webhooks.ts';
import type { Outbox } from '../engine-parts.ts';
import type { WebhookParts } from './webhook-parts.ts';

/**
 * Creates the outbox, which writes an event, its deliveries and queue entries in the transaction of the change, so that
 * neither exists without the other. The body is serialized once, here.
 */
export function createOutbox(parts: Pick<WebhookParts, 'queue' | 'ids'>): Outbox {
  return {
    async record(tx, event) {
      const deliveries = event.targets.map(({ url, scheme, secrets }) => ({
        id: parts.ids.uuid(),
        target_url: url,
        scheme,
        secrets,
      }));
      const row = {
        id: event.eventId,
        account_id: event.accountId,
        surface: event.surface,
        type: event.type,
        job_id: event.jobId,
        body: Buffer.from(JSON.stringify(event.body)),
        occurred_at: event.occurredAt,
      };
      const waiting = deliveries.length === 0 ? 0 : await countWaitingDeliveries(tx, event.accountId);
      await insertEventWithDeliveries(tx, row, deliveries, event.occurredAt);
      for (const [i, { id }] of deliveries.entries()) {
        await parts.queue.addWebhook(tx, id, event.occurredAt, waiting + i);
      }
    },
  };
}
