import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bulkfillScheme } from '#bulkfill/webhook-scheme.ts';
import { standardScheme } from '#engine/webhooks/standard-scheme.ts';
import { webhookHeaders } from '#engine/webhooks/webhook-scheme.ts';
import { ingestScheme } from '#ingest/webhook-scheme.ts';
import { verifyWebhook } from '../../clients/typescript/src/rowpress.ts';
import { hex, hmacSha256, Sha256 } from '../../clients/typescript/src/sha256.ts';

const schemes = { bulkfill: bulkfillScheme, subscribers: standardScheme, ingest: ingestScheme } as const;
const names = ['bulkfill', 'subscribers', 'ingest'] as const;
const text = JSON.stringify({ event_id: 'évt', data: { custom_fields: { my_field: 1 }, row_count: 2 } });
const body = Buffer.from(text);
const event = { eventId: 'évt', data: { customFields: { my_field: 1 }, rowCount: 2 } };

const signed = (scheme: (typeof names)[number], secrets: string[], at = new Date()) =>
  webhookHeaders(schemes[scheme], { eventId: 'e-1', type: 't', at, body, secrets });
const verify = (
  scheme: (typeof names)[number],
  headers: object,
  secret: string | string[],
  more: object = {},
) => verifyWebhook({ scheme, headers: headers as Record<string, string>, body: text, secret, ...more });
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

test.each(names)(
  '[SDK13] a webhook of %s: its event is returned, in every form of headers and body',
  (scheme) => {
    for (const secret of ['plain secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
      const headers = signed(scheme, [secret]);
      expect(verify(scheme, headers, secret)).toEqual(event);
      expect(verify(scheme, new Headers(headers), secret, { body })).toEqual(event);
      const upper = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
      );
      expect(verify(scheme, upper, secret, { body: new Uint8Array(body).buffer })).toEqual(event);
    }
  },
);

test.each(names)('[SDK13] a forged, changed or old webhook of %s: throws WEBHOOK_INVALID', (scheme) => {
  const headers = signed(scheme, ['right']);
  const refused = { code: 'WEBHOOK_INVALID', retry: 'no' };
  const attempt = (...args: Parameters<typeof verify>) => {
    try {
      return verify(...args);
    } catch (error) {
      return error;
    }
  };
  expect(attempt(scheme, headers, 'wrong')).toMatchObject(refused);
  expect(attempt(scheme, headers, [])).toMatchObject(refused);
  expect(attempt(scheme, headers, ['', 'wrong'])).toMatchObject(refused);
  expect(attempt(scheme, headers, 'right', { body: `${text} ` })).toMatchObject(refused);
  expect(attempt(scheme, headers, 'right', { body: JSON.parse(text) })).toMatchObject(refused);
  expect(attempt(scheme, {}, 'right')).toMatchObject(refused);
  expect(attempt(scheme, signed(scheme, ['right'], secondsAgo(301)), 'right')).toMatchObject(refused);
  expect(attempt(scheme, signed(scheme, ['right'], secondsAgo(-310)), 'right')).toMatchObject(refused);
  const old = signed(scheme, ['right'], secondsAgo(301));
  expect(verify(scheme, old, 'right', { toleranceSeconds: 400 })).toEqual(event);
  for (const name of Object.keys(headers).filter((header) => /signature|timestamp/.test(header))) {
    // Ingest and Bulk Fill send further signatures that the scheme does not need.
    const { [name]: _, ...without } = headers;
    const needed =
      name === `${{ bulkfill: 'x-doqlo', subscribers: 'webhook', ingest: 'x-fgai' }[scheme]}-timestamp`;
    if (needed) expect(attempt(scheme, without, 'right')).toMatchObject(refused);
  }
});

test('[SDK80] an ingest webhook signed over its body alone: verifies, unless the signed time is required', () => {
  const { 'x-fgai-signature': signature } = signed('ingest', ['right']) as Record<string, string>;
  const plain = { 'X-FGAI-Signature': signature };
  expect(verify('ingest', plain, 'right')).toEqual(event);
  expect(verify('ingest', plain, ['wrong', 'right'])).toEqual(event);
  expect(() => verify('ingest', plain, 'wrong')).toThrow('No secret matches');
  expect(() => verify('ingest', plain, 'right', { body: `${text} ` })).toThrow('No secret matches');
  expect(() => verify('ingest', plain, 'right', { requireSignedTime: true })).toThrow('x-fgai-timestamp');
  const rotating = signed('ingest', ['new', 'old']) as Record<string, string>;
  const both = {
    'x-fgai-signature': rotating['x-fgai-signature'],
    'x-fgai-signature-previous': rotating['x-fgai-signature-previous'],
  };
  expect(verify('ingest', both, 'old')).toEqual(event);
});

test('[SDK80] an ingest webhook with a part of the timed signature: rejected', () => {
  const headers = signed('ingest', ['right']) as Record<string, string>;
  const { 'x-fgai-signature-v2': _, ...untimed } = headers;
  expect(() => verify('ingest', untimed, 'right')).toThrow('signature header is missing');
  const { 'x-fgai-timestamp': __, ...undated } = headers;
  expect(() => verify('ingest', undated, 'right')).toThrow('x-fgai-timestamp');
});

test.each(names)('[SDK13] a rotation of the secret of %s: either secret, or both, verify', (scheme) => {
  // Bulk Fill has one secret per job; the receiver may hold several.
  const sent = scheme === 'bulkfill' ? ['new'] : ['new', 'old'];
  const headers = signed(scheme, sent);
  expect(verify(scheme, headers, ['other', 'new'])).toEqual(event);
  if (scheme !== 'bulkfill') expect(verify(scheme, headers, 'old')).toEqual(event);
});

test('[SDK13] SHA-256 and HMAC: equal those of Node for every length around the block size', () => {
  for (let length = 0; length <= 200; length += 1) {
    const bytes = randomBytes(length);
    expect(hex(new Sha256().update(bytes).digest())).toBe(createHash('sha256').update(bytes).digest('hex'));
    const key = randomBytes(length);
    expect(hex(hmacSha256(key, bytes.subarray(0, 3), bytes.subarray(3)))).toBe(
      createHmac('sha256', key).update(bytes).digest('hex'),
    );
  }
});
