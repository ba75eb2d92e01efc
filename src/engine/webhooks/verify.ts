import { timingSafeEqual } from 'node:crypto';
import {
  bulkfillSignature,
  ingestSignature,
  ingestTimedSignature,
  standardSignature,
  unixSeconds,
  type WebhookScheme,
} from './sign.ts';

/**
 * The receiver's side of `sign.ts`, for `rowpress webhooks listen`. A delivery is valid if its signature over
 * the raw bytes matches and its signed time is at most five minutes off: a recorded delivery that is sent again
 * later is rejected.
 */
export interface ReceivedWebhook {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export type Verification = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const TOLERANCE_SECONDS = 300;

/** The schemes whose signature header is present; a bulkfill delivery carries two. */
export function schemesOf({ headers }: ReceivedWebhook): WebhookScheme[] {
  const all = Object.keys(signatureHeader) as WebhookScheme[];
  return all.filter((scheme) => headers[signatureHeader[scheme]] !== undefined);
}

const signatureHeader = {
  bulkfill: 'x-doqlo-signature',
  standard: 'webhook-signature',
  ingest: 'x-fgai-signature',
} as const satisfies Record<WebhookScheme, string>;

export function verifyWebhook(
  scheme: WebhookScheme,
  received: ReceivedWebhook,
  secret: string,
  now: Date,
): Verification {
  const given = received.headers[signatureHeader[scheme]];
  if (given === undefined) return { ok: false, reason: `no ${signatureHeader[scheme]} header` };
  return verifiers[scheme](given, received, secret, now);
}

type Verify = (given: string, received: ReceivedWebhook, secret: string, now: Date) => Verification;

const verifiers: Record<WebhookScheme, Verify> = {
  bulkfill: (given, { headers, body }, secret, now) => {
    const timestamp = freshTimestamp(headers['x-doqlo-timestamp'], now);
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    return oneOf([given], `v1=${bulkfillSignature(secret, timestamp, body)}`);
  },
  standard: (given, { headers, body }, secret, now) => {
    const id = headers['webhook-id'];
    const timestamp = freshTimestamp(headers['webhook-timestamp'], now);
    if (id === undefined) return { ok: false, reason: 'no webhook-id header' };
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    return oneOf(given.split(' '), standardSignature(secret, id, new Date(timestamp * 1000), body));
  },
  // Both signatures are required: without this, an attacker could strip the timed one and replay the rest.
  ingest: (given, { headers, body }, secret, now) => {
    const timed = headers['x-fgai-signature-v2'];
    if (timed === undefined) return { ok: false, reason: 'no x-fgai-signature-v2 header' };
    const timestamp = freshTimestamp(headers['x-fgai-timestamp'], now);
    if (typeof timestamp === 'string') return { ok: false, reason: timestamp };
    const bodyOnly = oneOf(
      present(given, headers['x-fgai-signature-previous']),
      ingestSignature(secret, body),
    );
    if (!bodyOnly.ok) return bodyOnly;
    return oneOf(
      present(timed, headers['x-fgai-signature-v2-previous']),
      ingestTimedSignature(secret, timestamp, body),
    );
  },
};

const present = (...values: readonly (string | undefined)[]) => values.filter((value) => value !== undefined);

function freshTimestamp(text: string | undefined, now: Date): number | string {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return 'no valid timestamp';
  const age = unixSeconds(now) - Number(text);
  return Math.abs(age) > TOLERANCE_SECONDS ? `the timestamp is ${age} s old` : Number(text);
}

function oneOf(given: readonly string[], expected: string): Verification {
  const wanted = Buffer.from(expected);
  const matches = given
    .map((signature) => Buffer.from(signature))
    .some((bytes) => bytes.length === wanted.length && timingSafeEqual(bytes, wanted));
  return matches ? { ok: true } : { ok: false, reason: 'the signature does not match the body and secret' };
}
