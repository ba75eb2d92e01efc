import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { warnExpiringKeys } from '#engine/keys/warn-expiring.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { ManualClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { undocumentedEvent } from '../support/documented.ts';
import { type IngestScene, skus, startIngest } from '../support/ingest.ts';
import { schemes } from '../support/product.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

/** Delivers everything that is due, over real TLS. */
async function deliverAll({ database, secrets, parts }: IngestScene): Promise<void> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from webhook_deliveries where state = 'pending' order by created_at, id`,
  );
  const webhooks = {
    database,
    secrets,
    clock: parts.clock,
    ids: systemIds,
    queue: parts.queue,
    resolve: async () => ['127.0.0.1'],
    counters: { attempted() {} },
    schemes,
    settings: {
      allow: { covers: () => true },
      timeoutMs: 10_000,
      retrySeconds: { bulkfill: [], standard: [], ingest: [] },
      ca: authority.ca,
    },
  };
  for (const { id } of rows) await handleWebhookTask(webhooks, { deliveryId: id });
}

const sign = (secret: string, body: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test('[ING38] receivers are told of quarantine and of ended jobs, signed; two secrets while one is rotated', async () => {
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
  const stored = await scene.database.pool.query('select secret from ingest_webhooks');
  expect(stored.rows[0].secret.toString('latin1')).not.toContain(secret);

  const written = await partner.send('/master/skus', skus(150, ['NONE']));
  const quarantined = written.body.results[0];
  await deliverAll(scene);
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
  await deliverAll(scene);
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
  await deliverAll(scene);
  expect(receiver.received[2]?.headers['x-fgai-signature-previous']).toBeUndefined();

  expect((await partner.get('/webhooks')).body.data).toHaveLength(1);
  expect((await partner.post(`/webhooks/${webhook_id}/remove`)).status).toBe(200);
  expect((await partner.get('/webhooks')).body.data).toEqual([]);
  await partner.send('/master/lots', [{ source_id: 'L2', sku_source_id: 'X' }]);
  await deliverAll(scene);
  expect(receiver.received).toHaveLength(3);
  expect(scene.errors).toEqual([]);
});

test('[ING38] a receiver must be a public https address; foreign webhooks are unknown', async () => {
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

test('[ING38] twenty webhooks are the most a partner has, also when they are registered at once', async () => {
  const scene = await startIngest({ webhookAllow: ['hooks.test'] });
  const partner = await scene.client();
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => partner.post('/webhooks', { url: `https://hooks.test/${n}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(5);
});

test('[ING65] a key nears its end: the event goes to receivers that name it, and to no others', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const receiver = await startReceiver(certificate, 200);
  const scene = await startIngest({ clock, workers: 0, webhookAllow: [`hooks.test:${receiver.port}`] });
  const partner = await scene.client({ partner: 'ERP' });
  const url = (path: string) => `https://hooks.test:${receiver.port}/${path}`;
  const silent = await partner.post('/webhooks', { url: url('all') });
  expect(silent.body.events).not.toContain('ingest.credential.expiring');
  await partner.post('/webhooks', { url: url('named'), events: ['ingest.credential.expiring'] });
  await scene.client({ partner: 'ERP', warehouses: ['W1'], days: 30 });
  await scene.client({ partner: 'OTHER', days: 30 });
  clock.advance(20 * 86_400_000);
  await warnExpiringKeys({
    db: scene.database.db,
    clock,
    days: [14, 3],
    announce: scene.work.announceExpiringKey,
    onWarning: () => {},
  });
  await deliverAll(scene);
  expect(receiver.received).toHaveLength(1);
  const event = JSON.parse(receiver.received[0]?.body.toString() ?? '');
  expect(undocumentedEvent(event.type, event)).toEqual([]);
  expect(event).toMatchObject({
    type: 'ingest.credential.expiring',
    partner_id: 'ERP',
    data: { warehouses: ['W1'], expires_at: '2026-05-31T00:00:00.000Z', within_days: 14 },
  });
});
