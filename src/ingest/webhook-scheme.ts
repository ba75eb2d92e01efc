import { createHmac } from 'node:crypto';
import {
  currentSecret,
  freshTimestamp,
  oneOf,
  timedHmac,
  unixSeconds,
  type WebhookScheme,
} from '#engine/webhooks/webhook-scheme.ts';

/**
 * `X-FGAI-Signature: sha256=<hex>`, HMAC-SHA256 over the body alone. A recorded delivery would verify at any later time, so
 * `X-FGAI-Signature-V2` signs `<timestamp>.<body>` as well. Each header holds one value: while a secret is rotated, the older
 * secret signs the two headers that end in `-Previous`.
 */
export const ingestScheme: WebhookScheme = {
  name: 'ingest',
  signatureHeader: 'x-fgai-signature',
  eventIdHeader: 'x-fgai-event-id',
  eventHeader: 'x-fgai-event',
  sign(event) {
    const [, older] = event.secrets;
    const at = unixSeconds(event.at);
    return {
      'user-agent': 'Rowpress-Webhook/1.0',
      'x-fgai-event': event.type,
      'x-fgai-event-id': event.eventId,
      'x-fgai-signature': bodySignature(currentSecret(event), event.body),
      'x-fgai-timestamp': String(at),
      'x-fgai-signature-v2': timedSignature(currentSecret(event), at, event.body),
      ...(older !== undefined && {
        'x-fgai-signature-previous': bodySignature(older, event.body),
        'x-fgai-signature-v2-previous': timedSignature(older, at, event.body),
      }),
    };
  },
  // Both signatures are required: without this, an attacker could strip the timed one and replay the rest.
  verify(given, { headers, body }, secret, now) {
    const timed = headers['x-fgai-signature-v2'];
    if (timed === undefined) return { ok: false, reason: 'no x-fgai-signature-v2 header' };
    const timestamp = freshTimestamp(headers['x-fgai-timestamp'], now);
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    const bodyOnly = oneOf(present(given, headers['x-fgai-signature-previous']), bodySignature(secret, body));
    if (!bodyOnly.ok) return bodyOnly;
    return oneOf(
      present(timed, headers['x-fgai-signature-v2-previous']),
      timedSignature(secret, timestamp, body),
    );
  },
};

const bodySignature = (secret: string, body: Buffer): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const timedSignature = (secret: string, timestamp: number, body: Buffer): string =>
  `sha256=${timedHmac(secret, timestamp, body)}`;

const present = (...values: readonly (string | undefined)[]) => values.filter((value) => value !== undefined);
