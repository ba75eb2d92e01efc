import { Webhook } from 'standardwebhooks';
import {
  freshTimestamp,
  type Headers,
  oneOf,
  type Signable,
  unixSeconds,
  type WebhookScheme,
} from './webhook-scheme.ts';

/**
 * Standard Webhooks 1.0 (https://www.standardwebhooks.com): base64 HMAC-SHA256 over `<id>.<timestamp>.<body>`; one signature per
 * secret, separated by spaces, while a secret is rotated.
 */
export const standardScheme: WebhookScheme = {
  name: 'standard',
  signatureHeader: 'webhook-signature',
  eventIdHeader: 'webhook-id',
  sign: (event) => ({ 'user-agent': 'Rowpress-Webhook/1.0', ...standardHeaders(event) }),
  verify(given, { headers, body }, secret, now) {
    const id = headers['webhook-id'];
    const timestamp = freshTimestamp(headers['webhook-timestamp'], now);
    if (id === undefined) return { ok: false, reason: 'no webhook-id header' };
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    return oneOf(given.split(' '), standardSignature(secret, id, new Date(timestamp * 1000), body));
  },
};

export function standardHeaders({ eventId, at, body, secrets }: Signable): Headers {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(unixSeconds(at)),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, eventId, at, body)).join(' '),
  };
}

export function standardSignature(secret: string, eventId: string, at: Date, body: Buffer): string {
  return new Webhook(standardKey(secret), { format: 'raw' }).sign(eventId, at, body);
}

/**
 * Returns the key of a secret. The standard's secrets are `whsec_` and base64 of the key; a caller may also choose its own text,
 * whose UTF-8 bytes are the key.
 */
export function standardKey(secret: string): Uint8Array {
  const encoded = /^whsec_(?<base64>(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
    secret,
  )?.groups?.base64;
  return Buffer.from(encoded || secret, encoded ? 'base64' : 'utf8');
}
