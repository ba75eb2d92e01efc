import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { type ConsoleClient, signedIn } from '../support/console-client.ts';
import { undocumentedEvent } from '../support/documented.ts';
import { jobDetails, quotaOf } from '../support/operator-views.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate, only } from '../support/webhooks.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test', ROWPRESS_WEBHOOK_RETRY_SECONDS: '0,0,0,0,0' },
    surroundings: {
      webhookCa: authority.ca,
      resolve: async (host) =>
        host === 'hooks.test' ? ['127.0.0.1'] : host === 'private.example' ? ['10.0.0.7'] : [],
    },
  });
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const hookTo = (port: number, secret = 'a shared secret') => ({
  delivery_mode: 'webhook',
  webhook_url: `https://hooks.test:${port}/bulkfill?list=1`,
  webhook_secret: secret,
});

async function arrived(receiver: Receiver, requests = 1): Promise<ReceivedRequest[]> {
  await expect.poll(() => receiver.received.length).toBeGreaterThanOrEqual(requests);
  return receiver.received;
}

function signedBody(request: ReceivedRequest, secret: string): Record<string, unknown> {
  const { headers, body } = request;
  const expected = createHmac('sha256', secret)
    .update(`${headers['x-doqlo-timestamp']}.`)
    .update(body)
    .digest('hex');
  expect(headers['x-doqlo-signature']).toBe(`v1=${expected}`);
  expect(headers['user-agent']).toBe('Doqlo-Webhook/1.0');
  const json = JSON.parse(body.toString());
  expect(undocumentedEvent(json.event, json)).toEqual([]);
  expect([headers['x-doqlo-event'], headers['x-doqlo-event-id']]).toEqual([json.event, json.event_id]);
  expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual([
    json.event_id,
    headers['x-doqlo-timestamp'],
  ]);
  return json;
}

describe('the event', () => {
  it('[BF72][BF73][BF74] a completed job: one event with every member, from the first request', async () => {
    const receiver = await startReceiver(certificate, 200);
    const fields = { ...hookTo(receiver.port), rows_json: rowsJson(goodRows(2)) };
    const { body: job } = await client.create(fields, {
      key: 'hook-1',
      headers: { 'x-request-id': 'origin-1' },
    });
    await client.create(fields, { key: 'hook-1', headers: { 'x-request-id': 'replay-1' } });
    const json = signedBody(only(await arrived(receiver)), 'a shared secret');
    expect(json).toEqual({
      event: 'bulkfill.export_job.completed',
      event_id: expect.any(String),
      occurred_at: job.completed_at,
      job_id: job.job_id,
      status: 'completed',
      idempotency_key: 'hook-1',
      request_id: 'origin-1',
      reused_result: false,
      delivery_id: expect.any(String),
      download_url: `/v1/bulkfill/export-jobs/${job.job_id}/download`,
      download_expires_at: (await client.get(job.job_id)).body.result?.expires_at,
    });
    await client.archive(job.job_id);
    expect(receiver.received).toHaveLength(1);
  });

  it('[BF73] a failed job: a flat event with the details of the threshold', async () => {
    const receiver = await startReceiver(certificate, 200);
    const { body: job } = await client.create({ ...hookTo(receiver.port), rows_json: rowsJson([badRow]) });
    const json = signedBody(only(await arrived(receiver)), 'a shared secret');
    expect(json).toEqual({
      event: 'bulkfill.export_job.failed',
      event_id: expect.any(String),
      occurred_at: job.completed_at,
      job_id: job.job_id,
      status: 'failed',
      idempotency_key: expect.any(String),
      request_id: expect.stringMatching(/^trace-/),
      reused_result: false,
      error_code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
      error_message: 'The export job exceeded max_failed_row_percent and was aborted.',
      error_details: job.error?.details,
    });
  });

  it('[BF74][BF76] six failed attempts: the same event each time, and neither job nor bill change', async () => {
    const receiver = await startReceiver(certificate, 500);
    const { used } = await quotaOf(operator, client.account.name);
    const { body: job } = await client.create({ ...hookTo(receiver.port), rows_json: rowsJson(goodRows(4)) });
    const requests = await arrived(receiver, 6);
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-doqlo-event-id'])).size).toBe(1);
    const states = async () =>
      (await jobDetails(operator, job.job_id)).deliveries.map(({ state, attempts }) => [state, attempts]);
    await expect.poll(states, { timeout: 30_000, interval: 20 }).toEqual([['exhausted', 6]]);
    expect(receiver.received).toHaveLength(6);
    expect((await client.get(job.job_id)).body.status).toBe('completed');
    expect(await quotaOf(operator, client.account.name)).toEqual({ used: used + 4, reserved: 0 });
  });

  it('[BF83] a cancelled job: the event of a failed job', async () => {
    const receiver = await startReceiver(certificate, 200);
    const { body } = await client.create(
      { ...hookTo(receiver.port), rows_json: rowsJson(Array(20_000).fill({ column_0: 'x' })) },
      { headers: { prefer: 'wait=0' } },
    );
    const cancelled = await client.request(`/v1/bulkfill/export-jobs/${body.job_id}`, { method: 'DELETE' });
    expect(cancelled.body).toMatchObject({ status: 'failed', error: { code: 'EXPORT_CANCELLED' } });
    const json = signedBody(only(await arrived(receiver)), 'a shared secret');
    expect(json).toMatchObject({ event: 'bulkfill.export_job.failed', error_code: 'EXPORT_CANCELLED' });
    expect(json).not.toHaveProperty('error_details');
  });
});

describe('[BF75] a target', () => {
  it('a target that is not public https: rejected at create', async () => {
    const bad = [
      'http://hooks.test/',
      'hooks.test',
      '',
      'https://user:pass@example.com/',
      'https://user@example.com/',
      'https://localhost/',
      'https://a.localhost/',
      'https://127.0.0.1/',
      'https://10.1.2.3/',
      'https://192.168.0.1/',
      'https://169.254.169.254/latest',
      'https://100.64.0.1/',
      'https://192.0.2.1/',
      'https://[::1]/',
      'https://[fd00::1]/',
      'https://[::ffff:8.8.8.8]/',
      'https://[2002::1]/',
      'https://[64:ff9b::808:808]/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://example.com/?token=a',
      'https://example.com/?X-Amz-Signature=a',
      'https://example.com/?a=1&API_KEY=b',
      'https://private.example/',
    ];
    for (const webhook_url of bad) {
      const { status, body } = await client.create({ ...hookTo(1), webhook_url });
      expect([webhook_url, status, body.code]).toEqual([webhook_url, 400, 'INVALID_WEBHOOK_URL']);
    }
  });

  it('a target with a public address, or whose name does not resolve: accepted', async () => {
    for (const webhook_url of ['https://nowhere.example/', 'https://93.184.216.34:8443/']) {
      const { status } = await client.create({ ...hookTo(1), webhook_url, dry_run: 'true' });
      expect(status, webhook_url).toBe(200);
    }
  });
});
