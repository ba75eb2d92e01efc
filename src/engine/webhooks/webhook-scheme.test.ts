import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { bulkfillScheme } from '#bulkfill/webhook-scheme.ts';
import { ingestScheme } from '#ingest/webhook-scheme.ts';
import { schemes } from '../../../test/support/product.ts';
import { standardKey, standardScheme, standardSignature } from './standard-scheme.ts';
import { type Signable, verifyWebhook, webhookHeaders } from './webhook-scheme.ts';

const now = new Date();
const body = Buffer.from('{"event":"bulkfill.export_job.completed","note":"grüße ✓"}');
const event: Signable = {
  eventId: '0198c0de-0000-7000-8000-000000000001',
  type: 'bulkfill.export_job.completed',
  at: now,
  body,
  secrets: ['receiver secret ✓'],
};
const hmac = (secret: string | Buffer, ...parts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', secret);
  for (const part of parts) mac.update(part);
  return mac;
};

test('[WHK11] the published Standard Webhooks vector: gives the published signature', () => {
  const signature = standardSignature(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1614265330_000),
    Buffer.from('{"test": 2432232314}'),
  );
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('[WHK10] bulkfill: HMAC over timestamp, dot and raw body, with the secret as given', () => {
  const headers = webhookHeaders(bulkfillScheme, event);
  const timestamp = String(Math.floor(now.getTime() / 1000));
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Doqlo-Webhook/1.0',
    'x-doqlo-event': 'bulkfill.export_job.completed',
    'x-doqlo-event-id': event.eventId,
    'x-doqlo-timestamp': timestamp,
    'x-doqlo-signature': `v1=${hmac('receiver secret ✓', timestamp, '.', body).digest('hex')}`,
    'webhook-id': event.eventId,
    'webhook-timestamp': timestamp,
  });
});

test('[WHK10] a secret that starts with whsec_: is used as given for the bulkfill signature', () => {
  const secret = `whsec_${Buffer.from('raw key bytes').toString('base64')}`;
  const headers = webhookHeaders(bulkfillScheme, { ...event, secrets: [secret] });
  const expected = hmac(secret, `${headers['x-doqlo-timestamp']}.`, body).digest('hex');
  expect(headers['x-doqlo-signature']).toBe(`v1=${expected}`);
  const standard = hmac('raw key bytes', `${event.eventId}.${headers['webhook-timestamp']}.`, body);
  expect(headers['webhook-signature']).toBe(`v1,${standard.digest('base64')}`);
});

test.each([
  ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64'],
  ['whsec_QQ==', 'QQ==', 'base64'],
  ['whsec_', 'whsec_', 'utf8'],
  ['whsec_not base64!', 'whsec_not base64!', 'utf8'],
  ['whsec_QQ', 'whsec_QQ', 'utf8'],
  ['whsec_a-_b', 'whsec_a-_b', 'utf8'],
  ['WHSEC_QUJD', 'WHSEC_QUJD', 'utf8'],
  ['QUJD', 'QUJD', 'utf8'],
  ['päss', 'päss', 'utf8'],
] as const)('[WHK11] the Standard Webhooks key of "%s"', (secret, text, encoding) => {
  expect(Buffer.from(standardKey(secret))).toEqual(Buffer.from(text, encoding));
});

test('[WHK11] [WHK12] our deliveries, during a rotation with either secret: pass the Standard Webhooks library', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.uint8Array({ minLength: 1, maxLength: 64 }),
      fc.jsonValue(),
      fc.constantFrom(bulkfillScheme, standardScheme),
      (newer, older, json, scheme) => {
        const secrets = [newer, older].map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
        const payload = Buffer.from(JSON.stringify(json));
        const headers = { ...webhookHeaders(scheme, { ...event, body: payload, secrets }) };
        for (const secret of secrets) new Webhook(secret).verify(payload, headers);
        const stranger = new Webhook(Buffer.from('somebody else'), { format: 'raw' });
        expect(() => stranger.verify(payload, headers)).toThrow('No matching signature');
      },
    ),
    { numRuns: 200 },
  );
});

test('[WHK13] ingest: sha256 over the raw body; the older secret signs a second header while rotating', () => {
  const single = webhookHeaders(ingestScheme, event);
  expect(single['x-fgai-signature']).toBe(`sha256=${hmac('receiver secret ✓', body).digest('hex')}`);
  expect(single).not.toHaveProperty('x-fgai-signature-previous');

  const rotating = webhookHeaders(ingestScheme, { ...event, secrets: ['new', 'old'] });
  expect(rotating['x-fgai-signature']).toBe(`sha256=${hmac('new', body).digest('hex')}`);
  expect(rotating['x-fgai-signature-previous']).toBe(`sha256=${hmac('old', body).digest('hex')}`);
});

test('[WHK30] ingest: a second signature covers the time of the attempt and the raw body', () => {
  const headers = webhookHeaders(ingestScheme, { ...event, secrets: ['new', 'old'] });
  const timestamp = String(Math.floor(now.getTime() / 1000));
  expect(headers['x-fgai-timestamp']).toBe(timestamp);
  expect(headers['x-fgai-signature-v2']).toBe(`sha256=${hmac('new', timestamp, '.', body).digest('hex')}`);
  expect(headers['x-fgai-signature-v2-previous']).toBe(
    `sha256=${hmac('old', timestamp, '.', body).digest('hex')}`,
  );
  expect(webhookHeaders(ingestScheme, event)).not.toHaveProperty('x-fgai-signature-v2-previous');

  const later = webhookHeaders(ingestScheme, { ...event, at: new Date(now.getTime() + 60_000) });
  expect(later['x-fgai-timestamp']).toBe(String(Number(timestamp) + 60));
  expect(later['x-fgai-signature-v2']).not.toBe(webhookHeaders(ingestScheme, event)['x-fgai-signature-v2']);
  expect(later['x-fgai-signature']).toBe(webhookHeaders(ingestScheme, event)['x-fgai-signature']);
});

test('[WHK31] ingest: a delivery with a changed or missing time or timed signature is rejected', () => {
  const headers = webhookHeaders(ingestScheme, event);
  const [secret = ''] = event.secrets;
  const verified = (changed: Record<string, string | undefined>) =>
    verifyWebhook(ingestScheme, { headers: { ...headers, ...changed }, body }, secret, now);
  expect(verified({})).toEqual({ ok: true });
  const next = String(Number(headers['x-fgai-timestamp']) + 1);
  const refused = [
    { 'x-fgai-timestamp': next },
    { 'x-fgai-timestamp': undefined },
    { 'x-fgai-signature-v2': undefined },
    { 'x-fgai-signature-v2': headers['x-fgai-signature'] },
    { 'x-fgai-signature': headers['x-fgai-signature-v2'] },
  ];
  for (const changed of refused) expect(verified(changed)).toMatchObject({ ok: false });
});

test.each([...schemes])(
  '[WHK22] %s: our verifier accepts valid deliveries and rejects others',
  (_name, scheme) => {
    const secrets = ['new secret', 'old secret'];
    const headers = webhookHeaders(scheme, { ...event, secrets });
    const received = { headers, body };
    expect(headers).toHaveProperty(scheme.signatureHeader);
    expect(verifyWebhook(scheme, received, 'new secret', now)).toEqual({ ok: true });
    expect(verifyWebhook(scheme, received, 'wrong', now)).toMatchObject({ ok: false });
    const changed = { headers, body: Buffer.from(`${body} `) };
    expect(verifyWebhook(scheme, changed, 'new secret', now)).toMatchObject({ ok: false });
    expect(verifyWebhook(scheme, { headers: {}, body }, 'new secret', now)).toMatchObject({ ok: false });
  },
);

test.each([...schemes])('[WHK22] %s: a delivery older than five minutes is rejected', (_name, scheme) => {
  const received = { headers: webhookHeaders(scheme, event), body };
  const [secret = ''] = event.secrets;
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  expect(verifyWebhook(scheme, received, secret, at(299))).toEqual({ ok: true });
  expect(verifyWebhook(scheme, received, secret, at(302))).toMatchObject({ ok: false });
  expect(verifyWebhook(scheme, received, secret, at(-302))).toMatchObject({ ok: false });
});

test('[WHK22] standard and ingest: the older secret still verifies during a rotation', () => {
  for (const scheme of [standardScheme, ingestScheme]) {
    const headers = webhookHeaders(scheme, { ...event, secrets: ['new', 'old'] });
    expect(verifyWebhook(scheme, { headers, body }, 'old', now)).toEqual({ ok: true });
  }
});
