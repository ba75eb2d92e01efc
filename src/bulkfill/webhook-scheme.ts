import { standardHeaders } from '#engine/webhooks/standard-scheme.ts';
import {
  currentSecret,
  freshTimestamp,
  oneOf,
  timedHmac,
  unixSeconds,
  type WebhookScheme,
} from '#engine/webhooks/webhook-scheme.ts';

/**
 * `X-Doqlo-Signature: v1=<hex>`, HMAC-SHA256 over `<timestamp>.<body>`. A delivery also carries the Standard Webhooks headers, so
 * that a receiver can use any library of that standard.
 */
export const bulkfillScheme: WebhookScheme = {
  name: 'bulkfill',
  signatureHeader: 'x-doqlo-signature',
  eventIdHeader: 'x-doqlo-event-id',
  eventHeader: 'x-doqlo-event',
  sign: (event) => ({
    'user-agent': 'Doqlo-Webhook/1.0',
    'x-doqlo-event': event.type,
    'x-doqlo-event-id': event.eventId,
    'x-doqlo-timestamp': String(unixSeconds(event.at)),
    'x-doqlo-signature': `v1=${timedHmac(currentSecret(event), unixSeconds(event.at), event.body)}`,
    ...standardHeaders(event),
  }),
  verify(given, { headers, body }, secret, now) {
    const timestamp = freshTimestamp(headers['x-doqlo-timestamp'], now);
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    return oneOf([given], `v1=${timedHmac(secret, timestamp, body)}`);
  },
};
