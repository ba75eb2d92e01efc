import { randomBytes } from 'node:crypto';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import type { AccountRecord } from '#storage/accounts.ts';
import { endTestDelivery } from '#storage/console/list-deliveries.ts';
import type { Tx } from '#storage/database.ts';
import { insertEventWithDeliveries } from '#storage/webhooks.ts';
import type { ConsoleParts } from '../console-parts.ts';

export interface TestOrder {
  readonly account: AccountRecord;
  readonly surface: string;
  readonly url: string;
  readonly secret: string | undefined;
}

/**
 * Sends a test event, signed, guarded and recorded like any other. It is attempted once and now; a failure is shown and not
 * retried. `alongside` commits before it is sent.
 */
export async function sendTestEvent(
  { webhooks, surfaces, clock, ids, db }: ConsoleParts,
  order: TestOrder,
  alongside: (tx: Tx, deliveryId: string) => Promise<void>,
): Promise<{ readonly deliveryId: string; readonly secret: string }> {
  const secret = order.secret ?? `whsec_${randomBytes(24).toString('base64')}`;
  const [eventId, deliveryId, now] = [ids.uuid(), ids.uuid(), clock.now()];
  const type = `${order.surface}.test`;
  const body = {
    event: type,
    event_id: eventId,
    occurred_at: now.toISOString(),
    message: 'A test of this webhook. Nothing has happened.',
  };
  const event = {
    id: eventId,
    account_id: order.account.id,
    surface: order.surface,
    type,
    job_id: null,
    body: Buffer.from(JSON.stringify(body)),
    occurred_at: now,
  };
  const surface = surfaces.find(({ name }) => name === order.surface);
  if (surface === undefined) throw new Error(`bug: no surface ${order.surface} is registered`);
  const delivery = {
    id: deliveryId,
    target_url: order.url,
    scheme: surface.webhookScheme,
    secrets: sealSecrets(webhooks.secrets, [secret]),
  };
  await db.transaction().execute(async (tx) => {
    await insertEventWithDeliveries(tx, event, [delivery], now);
    await alongside(tx, deliveryId);
  });
  await handleWebhookTask(webhooks, { deliveryId });
  await endTestDelivery(db, deliveryId);
  return { deliveryId, secret };
}
