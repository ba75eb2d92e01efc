import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Delivery } from '#console/contract/deliveries.ts';
import type { Health } from '#console/contract/health.ts';
import { badRow, goodRows, openScene, rowsJson, type Scene } from '../support/bulkfill-client.ts';
import { rowpress } from '../support/cli.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

let scene: Scene;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test', ROWPRESS_WEBHOOK_RETRY_SECONDS: '3600' },
    surroundings: {
      webhookCa: authority.ca,
      resolve: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []),
    },
  });
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const health = async () => (await operator.get<Health>('/health')).body;
const listed = async (state: string) =>
  (await operator.get<Listed<Delivery>>(`/deliveries?state=${state}`)).body.items;

it('[CON60] webhooks that fail and are given up: counted until the event is delivered', async () => {
  const receiver = await startReceiver(certificate, 503, 500, 500, 200);
  const url = `https://hooks.test:${receiver.port}/in`;
  const quiet = { failing: 0, failing_since: null, given_up: 0, last_given_up_at: null };
  const test = { account: scene.client.account.name, surface: 'bulkfill', url };
  await operator.post('/webhook-tests', test);
  expect((await health()).webhooks).toEqual(quiet);

  const webhook = { delivery_mode: 'webhook', webhook_url: url, webhook_secret: 'a shared secret' };
  await scene.client.create(webhook);
  const some = { timeout: 20_000 };
  await expect.poll(async () => (await health()).webhooks.failing, some).toBe(1);
  expect((await health()).webhooks).toMatchObject({ failing_since: expect.any(String), given_up: 0 });
  const [failing] = await listed('failing');
  expect(failing).toMatchObject({ state: 'pending', last_status: 500 });

  await operator.post(`/deliveries/${failing?.id}/redeliver`);
  await expect.poll(async () => (await health()).webhooks.given_up, some).toBe(1);
  expect((await health()).webhooks).toMatchObject({ failing: 0, last_given_up_at: expect.any(String) });
  expect(await listed('failing')).toEqual([]);
  const doctor = await rowpress(['doctor', '--json'], scene.server.env);
  expect(JSON.parse(doctor.stdout).checks).toContainEqual(
    expect.objectContaining({ name: 'webhooks', state: 'warning', detail: expect.stringMatching(/^1 /) }),
  );

  await operator.post(`/deliveries/${failing?.id}/redeliver`);
  await expect.poll(async () => (await health()).webhooks, some).toEqual(quiet);
});

it('[CON61] failed jobs of the last 24 hours: counted by surface and code, without cancelled ones', async () => {
  expect((await health()).failed_jobs).toEqual([]);
  await scene.client.create({ rows_json: rowsJson([badRow, ...goodRows(2)]) });
  await scene.client.create({ rows_json: rowsJson([badRow, badRow]) });
  const [found, ...others] = (await health()).failed_jobs;
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    surface: 'bulkfill',
    failed: 2,
    recent: { settled: expect.any(Number), failed: 2 },
    codes: [{ code: 'FAILED_ROW_THRESHOLD_EXCEEDED', count: 2 }],
    is_frequent: true,
  });
  expect((await health()).waiting_jobs).toEqual({ count: 0, oldest_seconds: 0 });
  scene.server.clock.advance(86_400_001);
  expect((await health()).failed_jobs).toEqual([]);
});

it('[CON62] a job that waits: counted, with the time that it has waited', async () => {
  const held = await openScene({ env: { ROWPRESS_ROLE: 'api', ROWPRESS_SYNC_WAIT_MS: '0' } });
  try {
    const watcher = await signedIn(held.server);
    const { body: job } = await held.client.create();
    held.server.clock.advance(600_000);
    const { waiting_jobs: waiting } = (await watcher.get<Health>('/health')).body;
    expect(waiting.count).toBe(1);
    expect(waiting.oldest_seconds).toBeGreaterThanOrEqual(600);
    await watcher.post(`/jobs/${job.job_id}/cancel`);
    expect((await watcher.get<Health>('/health')).body).toMatchObject({
      waiting_jobs: { count: 0 },
      failed_jobs: [],
    });
  } finally {
    await held.server.stop();
  }
});
