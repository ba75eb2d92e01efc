import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { undocumentedEvent } from '../support/documented.ts';
import { exportedTables, tablesThatStore } from '../support/exported-tables.ts';
import { skus, startIngest } from '../support/ingest.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { certificate } from '../support/webhooks.ts';

/** Waits until the receiver has received this many requests. */
const arrived = (receiver: Receiver, count: number) =>
  expect.poll(() => receiver.received.length, { interval: 20 }).toBe(count);

const sign = (secret: string, body: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test('[ING38] quarantined items and ended jobs: signed events; two signatures while a secret is rotated', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const receiver = await startReceiver(certificate, 200);
  const scene = await startIngest({ clock, webhookAllow: [`hooks.test:${receiver.port}`] });
  const partner = await scene.client({ partner: 'ERP-TENANT-7' });
  const url = `https://hooks.test:${receiver.port}/in`;
  const made = await partner.post('/webhooks', { url });
  expect(made.status).toBe(201);
  expect(made.text).not.toContain('whsec_');
  const { webhook_id } = made.body;
  const secret = (await partner.get(`/webhooks/${webhook_id}/secret`)).body.secret;
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  const tables = await exportedTables(scene.env);
  expect(tables.get('ingest_webhooks')).toContain(url);
  expect(tablesThatStore(tables, secret.slice('whsec_'.length))).toEqual([]);

  const written = await partner.send('/master/skus', skus(150, ['NONE']));
  const quarantined = written.body.results[0];
  await arrived(receiver, 1);
  const [conflict] = receiver.received;
  expect(conflict?.headers['x-fgai-signature']).toBe(sign(secret, conflict?.body ?? Buffer.alloc(0)));
  expect(conflict?.headers['x-fgai-signature-previous']).toBeUndefined();
  const event = JSON.parse(conflict?.body.toString() ?? '');
  expect(undocumentedEvent(event.type, event)).toEqual([]);
  expect(event).toMatchObject({
    type: 'master.normalization-conflict',
    partner_id: 'ERP-TENANT-7',
    data: {
      collection: 'master/skus',
      correlation_id: written.headers.get('x-correlation-id'),
      job_id: null,
      count: 150,
    },
  });
  expect(event.event_id).toBe(conflict?.headers['x-fgai-event-id']);
  expect(event.data.quarantined).toHaveLength(100);
  expect(event.data.quarantined[0]).toEqual({
    quarantine_id: quarantined.quarantine_id,
    source_id: quarantined.source_id,
    source_version: 1,
    reason: quarantined.reason,
  });

  const rotated = await partner.post(`/webhooks/${webhook_id}/rotate-secret`);
  expect(rotated.body.old_secret_valid_until).toBe('2026-05-02T00:00:00.000Z');
  const newSecret = (await partner.get(`/webhooks/${webhook_id}/secret`)).body.secret;
  expect(newSecret).not.toBe(secret);
  const job = await partner.send('/master/uoms?mode=bulk', [{ source_id: 'EA', name: 'Each' }]);
  await partner.ended(job.body.job_id);
  await arrived(receiver, 2);
  const ended = receiver.received[1];
  const body = ended?.body ?? Buffer.alloc(0);
  expect(undocumentedEvent('ingest.job.completed', JSON.parse(body.toString()))).toEqual([]);
  expect(JSON.parse(body.toString())).toMatchObject({
    type: 'ingest.job.completed',
    data: { job_id: job.body.job_id, collection: 'master/uoms', summary: { accepted: 1 } },
  });
  expect(ended?.headers['x-fgai-signature']).toBe(sign(newSecret, body));
  expect(ended?.headers['x-fgai-signature-previous']).toBe(sign(secret, body));

  clock.advance(86_400_000);
  await partner.send('/master/lots', [{ source_id: 'L', sku_source_id: 'X' }]);
  await arrived(receiver, 3);
  expect(receiver.received[2]?.headers['x-fgai-signature-previous']).toBeUndefined();

  expect((await partner.get('/webhooks')).body.data).toHaveLength(1);
  expect((await partner.post(`/webhooks/${webhook_id}/remove`)).status).toBe(200);
  expect((await partner.get('/webhooks')).body.data).toEqual([]);
  await partner.send('/master/lots', [{ source_id: 'L2', sku_source_id: 'X' }]);
  expect((await exportedTables(scene.env)).get('webhook_deliveries')?.trimEnd().split('\n')).toHaveLength(3);
  expect(receiver.received).toHaveLength(3);
  expect(scene.errors).toEqual([]);
});

test('[ING38] a receiver that is not a public https address: rejected; a webhook of another partner: 404', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  for (const url of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://10.0.0.1/x',
    'no url',
  ])
    expect((await partner.post('/webhooks', { url })).status, url).toBe(422);
  for (const body of [
    {},
    { url: 'https://example.com', events: [] },
    { url: 'https://example.com', events: ['x'] },
    { url: 'https://example.com', x: 1 },
  ])
    expect((await partner.post('/webhooks', body)).status).toBe(400);
  const made = await partner.post('/webhooks', {
    url: 'https://example.com/in',
    events: ['ingest.job.failed'],
  });
  expect([made.status, made.body.events]).toEqual([201, ['ingest.job.failed']]);
  const stranger = await client({ partner: 'OTHER' });
  expect((await stranger.get(`/webhooks/${made.body.webhook_id}/secret`)).status).toBe(404);
  expect((await stranger.post(`/webhooks/${made.body.webhook_id}/remove`)).status).toBe(404);
});

test('[ING38] twenty-five webhooks registered at once: twenty are accepted', async () => {
  const scene = await startIngest({ webhookAllow: ['hooks.test'] });
  const partner = await scene.client();
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => partner.post('/webhooks', { url: `https://hooks.test/${n}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
});
