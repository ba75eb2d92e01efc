import type { z } from 'zod';
import type {
  DeliverySummary,
  WebhookSubscriptionRecord,
} from '#storage/subscribers/webhook-subscriptions.ts';
import { iso, isoOrNull } from '../views.ts';
import type { subscription } from './contract.ts';

export function showSubscription(
  record: WebhookSubscriptionRecord,
  sent: DeliverySummary | undefined,
): z.infer<typeof subscription> {
  const { id, name, url, event_patterns } = record;
  const delivered = sent?.last_delivered_at ?? null;
  const failed = sent?.last_failed_at ?? null;
  const lastFailed = failed !== null && (delivered === null || failed > delivered);
  return {
    id,
    name,
    url,
    status: record.status === 'active' ? 'active' : 'disabled',
    event_patterns,
    signing_secret_preview: record.secret_preview,
    delivery_attempts: sent?.attempts ?? 0,
    last_delivery_status: lastFailed ? 'failed' : delivered === null ? null : 'delivered',
    last_delivery_error: lastFailed ? (sent?.last_error ?? null) : null,
    last_delivered_at: isoOrNull(delivered),
    last_failed_at: isoOrNull(failed),
    created_at: iso(record.created_at),
    updated_at: iso(record.updated_at),
    self: `/v1/webhook-subscriptions/${id}`,
  };
}
