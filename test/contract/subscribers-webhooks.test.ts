import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { undocumentedEvent } from '../support/documented.ts';
import type { Json } from '../support/subscribers-node.ts';
import { EMAIL, exportAll, importCsv, openScene, sharedScene } from '../support/subscribers-scene.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { certificate } from '../support/webhooks.ts';

const scene = sharedScene();
const HOOKS = '/v1/webhook-subscriptions';

async function received(receiver: Receiver, count: number): Promise<Receiver['received']> {
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(count);
  expect(receiver.received).toHaveLength(count);
  return receiver.received;
}

test('[SUB64][SUB65] the verifier of the standard accepts what we send: one event per change and per job', async () => {
  const { api } = await openScene();
  const receiver = await startReceiver(certificate, 200);
  const url = `https://hooks.test:${receiver.port}/in`;
  const created = await api.post(HOOKS, { name: 'CRM', url, event_patterns: ['*'] });
  expect(created.status).toBe(201);
  const { signing_secret: secret, subscription } = created.body.data;
  expect(subscription).toMatchObject({
    name: 'CRM',
    url,
    status: 'active',
    event_patterns: ['*'],
    signing_secret_preview: expect.not.stringContaining(secret),
  });
  const verify = (request: Receiver['received'][number], key: string) =>
    new Webhook(key).verify(request.body.toString(), request.headers as Record<string, string>) as Json;

  const person = (await api.post('/v1/subscribers', { email: 'ada@example.com' })).body.data;
  await received(receiver, 1);
  await api.call('PUT', `${person.self}/status`, { status: 'Bounced' });
  await received(receiver, 2);
  const job = await importCsv(api, 'Email\na@example.com\nb@example.com\n', { mappings: [EMAIL] });
  await received(receiver, 3);
  const { job: exported } = await exportAll(api);
  await received(receiver, 4);
  await api.call('DELETE', person.self);
  const events = (await received(receiver, 5)).map((request) => verify(request, secret));
  expect(events.map((event) => event.type)).toEqual([
    'subscriber.created',
    'subscriber.status_changed',
    'import_job.completed',
    'export_job.completed',
    'subscriber.deleted',
  ]);
  expect(events.flatMap((event) => undocumentedEvent(event.type, event))).toEqual([]);
  expect(events[0].data.subscriber).toMatchObject({ id: person.id, self: person.self });
  const { failed_rows_url: _report, ...asRead } = (await api.get(job.self)).body.data;
  expect(events[2].data).toEqual(asRead);
  expect(asRead).toMatchObject({ id: job.id, status: 'Completed', created_count: 2 });
  const listed = (await api.get('/v1/jobs/subscriber-exports')).body.data[0];
  expect(events[3].data).toEqual({ ...listed, error_message: null });
  expect(listed.id).toBe(exported.id);
  expect(JSON.stringify(events)).not.toContain(exported.download_url.split('/').at(-2));

  const rotated = await api.post(`${HOOKS}/${subscription.id}/rotate-secret`);
  expect([rotated.status, rotated.body.data.signing_secret === secret]).toEqual([200, false]);
  await api.post('/v1/subscribers', { email: 'eve@example.com' });
  const last = (await received(receiver, 6)).at(-1);
  if (last === undefined) throw new Error('nothing came');
  expect(verify(last, secret)).toEqual(verify(last, rotated.body.data.signing_secret));
  await expect
    .poll(async () => (await api.get(`${HOOKS}/${subscription.id}`)).body.data)
    .toMatchObject({ delivery_attempts: 6, last_delivery_status: 'delivered' });

  await api.call('PUT', `${HOOKS}/${subscription.id}`, {
    event_patterns: ['import_job.*', 'subscriber.deleted'],
  });
  await api.post('/v1/subscribers', { email: 'silent@example.com' });
  await importCsv(api, 'Email\nc@example.com\n', { mappings: [EMAIL] });
  expect((await received(receiver, 7)).at(-1)?.body.toString()).toContain('import_job.completed');
  expect((await api.call('DELETE', `${HOOKS}/${subscription.id}`)).body.data).toEqual({
    id: subscription.id,
    deleted: true,
  });
});

test('[SUB63] invalid addresses and patterns: rejected without a DNS query', async () => {
  const { api } = scene();
  const event_patterns = ['*'];
  for (const url of [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://10.0.0.8/x',
    'https://[::1]/',
    'https://localhost/',
    'https://169.254.169.254/',
    'ftp://example.com',
    'nonsense',
  ])
    expect([url, (await api.post(HOOKS, { name: 'x', url, event_patterns })).status]).toEqual([url, 400]);
  for (const patterns of [['nope.*'], ['subscriber.exploded'], [], 'x'])
    expect(
      (await api.post(HOOKS, { name: 'x', url: 'https://example.com/', event_patterns: patterns })).status,
    ).toBe(400);
  expect((await api.get(HOOKS)).body.data).toEqual([]);
});

test('[SUB63] many subscriptions created at once: twenty are accepted', async () => {
  const api = await scene().client('twenty');
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      api.post(HOOKS, { name: `h${i}`, url: `https://example.com/${i}`, event_patterns: ['subscriber.*'] }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(20);
  const refused = answers.find((answer) => answer.status !== 201);
  expect([refused?.status, refused?.body.error.code]).toEqual([409, 'webhook_subscription_limit_exceeded']);
  const list = (await api.get(`${HOOKS}?limit=100`)).body.data;
  expect(list).toHaveLength(20);
  expect(JSON.stringify(list)).not.toMatch(/whsec_[A-Za-z0-9+/]{8}/);
});
