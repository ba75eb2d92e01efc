import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/**
 * The headers of one webhook attempt, in the three schemes the surfaces speak. Each signs the exact bytes
 * that are sent, so a receiver must verify before it parses.
 *
 * - `bulkfill`: `X-Doqlo-Signature: v1=<hex>`, HMAC-SHA256 over `<timestamp>.<body>`; the same delivery also
 *   carries the Standard Webhooks headers, so that a receiver may use any of that standard's libraries.
 * - `standard`: Standard Webhooks 1.0 (https://www.standardwebhooks.com): base64 HMAC-SHA256 over
 *   `<id>.<timestamp>.<body>`; one signature per secret, separated by spaces, while a secret is rotated.
 * - `ingest`: `X-FGAI-Signature: sha256=<hex>`, HMAC-SHA256 over the body alone. A recorded delivery would
 *   verify at any later time, so `X-FGAI-Signature-V2` signs `<timestamp>.<body>` as well. Each header holds one
 *   value: while a secret is rotated, the older secret signs the two headers that end in `-Previous`.
 */
export type WebhookScheme = 'bulkfill' | 'standard' | 'ingest';

export interface Signable {
  readonly eventId: string;
  readonly type: string;
  /** When this attempt is signed. */
  readonly at: Date;
  readonly body: Buffer;
  /** The current secret first; a second one while it is rotated out. */
  readonly secrets: readonly string[];
}

export type Headers = Readonly<Record<string, string>>;

export function webhookHeaders(scheme: WebhookScheme, event: Signable): Headers {
  const common = { 'content-type': 'application/json', accept: '*/*', 'accept-encoding': 'identity' };
  return { ...common, ...signers[scheme](event) };
}

const signers: Record<WebhookScheme, (event: Signable) => Headers> = {
  bulkfill: (event) => ({
    'user-agent': 'Doqlo-Webhook/1.0',
    'x-doqlo-event': event.type,
    'x-doqlo-event-id': event.eventId,
    'x-doqlo-timestamp': String(unixSeconds(event.at)),
    'x-doqlo-signature': `v1=${bulkfillSignature(currentSecret(event), unixSeconds(event.at), event.body)}`,
    ...standardHeaders(event),
  }),
  standard: (event) => ({ 'user-agent': 'Rowpress-Webhook/1.0', ...standardHeaders(event) }),
  ingest: (event) => {
    const [, older] = event.secrets;
    const at = unixSeconds(event.at);
    return {
      'user-agent': 'Rowpress-Webhook/1.0',
      'x-fgai-event': event.type,
      'x-fgai-event-id': event.eventId,
      'x-fgai-signature': ingestSignature(currentSecret(event), event.body),
      'x-fgai-timestamp': String(at),
      'x-fgai-signature-v2': ingestTimedSignature(currentSecret(event), at, event.body),
      ...(older !== undefined && {
        'x-fgai-signature-previous': ingestSignature(older, event.body),
        'x-fgai-signature-v2-previous': ingestTimedSignature(older, at, event.body),
      }),
    };
  },
};

function standardHeaders({ eventId, at, body, secrets }: Signable): Headers {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(unixSeconds(at)),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, eventId, at, body)).join(' '),
  };
}

function currentSecret({ secrets }: Signable): string {
  const [current] = secrets;
  if (current === undefined) throw new Error('bug: a webhook without a secret');
  return current;
}

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

export function bulkfillSignature(secret: string, timestamp: number, body: Buffer): string {
  return timedHmac(secret, timestamp, body);
}

export function ingestSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

export function ingestTimedSignature(secret: string, timestamp: number, body: Buffer): string {
  return `sha256=${timedHmac(secret, timestamp, body)}`;
}

function timedHmac(secret: string, timestamp: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

export function standardSignature(secret: string, eventId: string, at: Date, body: Buffer): string {
  return new Webhook(standardKey(secret), { format: 'raw' }).sign(eventId, at, body);
}

/**
 * The standard's secrets are `whsec_` and base64 of the key. Callers of the bulkfill surface choose their
 * own text, so anything else stands for its UTF-8 bytes.
 */
export function standardKey(secret: string): Uint8Array {
  const encoded = /^whsec_(?<base64>(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
    secret,
  )?.groups?.base64;
  return Buffer.from(encoded || secret, encoded ? 'base64' : 'utf8');
}
