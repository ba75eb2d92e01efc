import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * How a surface signs its webhooks, and how a receiver verifies them. A scheme signs the exact bytes that are sent, so a
 * receiver must verify before it parses. A delivery is valid if its signature over the raw bytes matches and its signed time is
 * at most five minutes off: a recorded delivery that is sent again later is rejected.
 */
export interface WebhookScheme {
  /** Stored with every delivery; never renamed. */
  readonly name: string;
  readonly signatureHeader: string;
  readonly eventIdHeader: string;
  /** Absent: the body names the event. */
  readonly eventHeader?: string;
  sign(event: Signable): Headers;
  /** `given` is the value of the signature header. */
  verify(given: string, received: ReceivedWebhook, secret: string, now: Date): Verification;
}

export interface Signable {
  readonly eventId: string;
  readonly type: string;
  /** When this attempt is signed. */
  readonly at: Date;
  readonly body: Buffer;
  /** The current secret first, then the older one during a rotation. */
  readonly secrets: readonly string[];
}

export interface ReceivedWebhook {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

export type Verification = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type Headers = Readonly<Record<string, string>>;

const TOLERANCE_SECONDS = 300;

/** The headers of one attempt. */
export function webhookHeaders(scheme: WebhookScheme, event: Signable): Headers {
  const common = { 'content-type': 'application/json', accept: '*/*', 'accept-encoding': 'identity' };
  return { ...common, ...scheme.sign(event) };
}

/** Verifies a delivery, for `rowpress webhooks listen`. */
export function verifyWebhook(
  scheme: WebhookScheme,
  received: ReceivedWebhook,
  secret: string,
  now: Date,
): Verification {
  const given = received.headers[scheme.signatureHeader];
  if (given === undefined) return { ok: false, reason: `no ${scheme.signatureHeader} header` };
  return scheme.verify(given, received, secret, now);
}

/** The schemes of an installation, by name. */
export type WebhookSchemes = ReadonlyMap<string, WebhookScheme>;

export function getScheme(schemes: WebhookSchemes, name: string): WebhookScheme {
  const scheme = schemes.get(name);
  if (scheme === undefined) throw new Error(`bug: no webhook scheme ${name} is registered`);
  return scheme;
}

export function currentSecret({ secrets }: Signable): string {
  const [current] = secrets;
  if (current === undefined) throw new Error('bug: a webhook without a secret');
  return current;
}

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** HMAC-SHA256 over `<timestamp>.<body>`, in hexadecimal. */
export function timedHmac(secret: string, timestamp: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** Returns the timestamp, or the reason why it is not valid. */
export function freshTimestamp(text: string | undefined, now: Date): number | string {
  if (text === undefined || !/^\d{1,12}$/.test(text)) return 'no valid timestamp';
  const age = unixSeconds(now) - Number(text);
  return Math.abs(age) > TOLERANCE_SECONDS ? `the timestamp is ${age} s old` : Number(text);
}

/** Compares in constant time. */
export function oneOf(given: readonly string[], expected: string): Verification {
  const wanted = Buffer.from(expected);
  const matches = given
    .map((signature) => Buffer.from(signature))
    .some((bytes) => bytes.length === wanted.length && timingSafeEqual(bytes, wanted));
  return matches ? { ok: true } : { ok: false, reason: 'the signature does not match the body and secret' };
}
