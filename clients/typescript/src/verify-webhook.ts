import { toCamel } from './camel-case.ts';
import { RowpressError, type Surface } from './rowpress-error.ts';
import { hex, hmacSha256 } from './sha256.ts';
import type { WebhookEvent } from './webhook-events.ts';

export interface WebhookToVerify<Scheme extends Surface = Surface> {
  /** The surface that sent the webhook. */
  readonly scheme: Scheme;
  /** The headers of the request, as Node, Express, Fastify or fetch represent them. */
  readonly headers:
    | { get(name: string): string | null | undefined }
    | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as it was received. A parsed body cannot be verified. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** The secret, or the new and the old one while you rotate it. */
  readonly secret: string | readonly string[];
  /** How far the signed time may be from the clock of this machine; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /**
   * Rejects an Ingest webhook that is signed over its body alone; `false` by default. The other schemes always sign the time.
   */
  readonly requireSignedTime?: boolean | undefined;
}

const utf8 = new TextEncoder();

/**
 * Verifies a webhook and returns its event, with camelCase members. Throws a `RowpressError` with the code `WEBHOOK_INVALID`
 * if no secret made the signature or the signed time is too far off. Synchronous.
 */
export function verifyWebhook<Scheme extends Surface>(
  webhook: WebhookToVerify<Scheme>,
): WebhookEvent<Scheme> {
  const { scheme, toleranceSeconds = 300 } = webhook;
  const secrets = [webhook.secret].flat().filter((secret) => secret !== '');
  if (secrets.length === 0) throw invalid('There is no secret to verify the webhook with');
  const body =
    typeof webhook.body === 'string'
      ? utf8.encode(webhook.body)
      : webhook.body instanceof ArrayBuffer
        ? new Uint8Array(webhook.body)
        : webhook.body;
  if (!(body instanceof Uint8Array))
    throw invalid('The body must be the raw text or bytes of the request, not the parsed object');
  const header = reader(webhook.headers);
  const prefix = { bulkfill: 'x-doqlo-', subscribers: 'webhook-', ingest: 'x-fgai-' }[scheme];
  if (prefix === undefined)
    throw invalid(`The scheme must be bulkfill, subscribers or ingest; received "${scheme}"`);
  const timestamp = header(`${prefix}timestamp`);
  const timed = webhook.requireSignedTime === true || !isBodyOnly(scheme, header);
  if (timed) checkTime(`${prefix}timestamp`, timestamp, toleranceSeconds);
  const given = signaturesOf(scheme, header, timed);
  const genuine = secrets.some((secret) => {
    const expected = sign(scheme, secret, header, timed ? `${timestamp}.` : '', body);
    // Every signature is compared, so that the time does not depend on which one matches.
    return given.reduce((found, signature) => isEqual(signature, expected) || found, false);
  });
  if (!genuine)
    throw invalid(given.length === 0 ? 'The signature header is missing' : 'No secret matches the signature');
  try {
    return toCamel(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw invalid('The body is not JSON');
  }
}

/**
 * Whether the only signature is the one over the body, as other senders of the Ingest scheme make it. If any header of the timed
 * signature is present, that signature must be complete.
 */
function isBodyOnly(scheme: Surface, header: Header): boolean {
  const timed = ['x-fgai-timestamp', 'x-fgai-signature-v2', 'x-fgai-signature-v2-previous'];
  return scheme === 'ingest' && timed.every((name) => header(name) === undefined);
}

function checkTime(name: string, timestamp: string | undefined, toleranceSeconds: number): void {
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    throw invalid(`The header ${name} is missing or malformed`);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= toleranceSeconds))
    throw invalid(
      `The webhook was signed ${Math.round(age)} seconds away from now; at most ${toleranceSeconds} are allowed`,
    );
}

function sign(scheme: Surface, secret: string, header: Header, time: string, body: Uint8Array): string {
  const head = scheme === 'subscribers' ? `${header('webhook-id') ?? ''}.${time}` : time;
  const key = scheme === 'subscribers' ? standardKey(secret) : utf8.encode(secret);
  const mac = hmacSha256(key, utf8.encode(head), body);
  if (scheme === 'subscribers') return `v1,${btoa(String.fromCharCode(...mac))}`;
  return `${scheme === 'bulkfill' ? 'v1' : 'sha256'}=${hex(mac)}`;
}

function signaturesOf(scheme: Surface, header: Header, timed: boolean): string[] {
  const ingest = `x-fgai-signature${timed ? '-v2' : ''}`;
  const values =
    scheme === 'ingest'
      ? [header(ingest), header(`${ingest}-previous`)]
      : scheme === 'bulkfill'
        ? [header('x-doqlo-signature')]
        : (header('webhook-signature') ?? '').split(' ');
  return values.filter((value) => value !== undefined && value !== '') as string[];
}

/** The key of a Standard Webhooks secret: the base64 after `whsec_`, otherwise the UTF-8 bytes of the whole text. */
function standardKey(secret: string): Uint8Array {
  const encoded = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
    secret,
  )?.[1];
  return encoded ? Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0)) : utf8.encode(secret);
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqual(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length;
  for (let at = 0; at < expected.length; at += 1)
    difference |= expected.charCodeAt(at) ^ (given.charCodeAt(at) || 0);
  return difference === 0;
}

type Header = (name: string) => string | undefined;

function reader(headers: WebhookToVerify['headers']): Header {
  if (typeof headers.get === 'function') {
    const { get } = headers as { get(name: string): string | null | undefined };
    return (name) => get.call(headers, name) ?? undefined;
  }
  const lower = new Map(
    Object.entries(headers as Readonly<Record<string, string | readonly string[] | undefined>>).map(
      ([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value.join(' ') : (value as string | undefined),
      ],
    ),
  );
  return (name) => lower.get(name);
}

function invalid(message: string): RowpressError {
  return new RowpressError(`${message}.`, { code: 'WEBHOOK_INVALID', status: 0, retry: 'no' });
}
