import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job } from '#console/contract/jobs.ts';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { codeLayout } from '../support/bulkfill-server.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene({
    layout: codeLayout,
    env: { ROWPRESS_WEBHOOK_ALLOW: 'hooks.test', ROWPRESS_WEBHOOK_RETRY_SECONDS: '3600' },
    surroundings: {
      webhookCa: authority.ca,
      resolve: async (host) => (host === 'hooks.test' ? ['127.0.0.1'] : []),
    },
  });
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const listJobs = async (query: string) => (await operator.get<Listed<Job>>(`/jobs${query}`)).body.items;

describe('jobs', () => {
  it('[CON14] jobs of all accounts: listed newest first in one shape', async () => {
    const other = await scene.another();
    const { body: one } = await client.create(
      {},
      { key: 'list-1', headers: { 'x-request-id': 'list-request' } },
    );
    const { body: two } = await other.create();
    const [newest, older] = await listJobs('');
    expect([newest?.id, older?.id]).toEqual([two.job_id, one.job_id]);
    expect(older).toEqual({
      id: one.job_id,
      public_id: one.job_id,
      surface: 'bulkfill',
      kind: 'bulkfill.export',
      account: client.account.name,
      state: 'completed',
      created_at: one.created_at,
      started_at: one.started_at,
      settled_at: one.completed_at,
      rows: { total: 3, done: 3, succeeded: 3, failed: 0, warned: 3 },
      request_key: 'list-1',
      request_id: 'list-request',
      error: null,
      cancelled: false,
    });
  });

  it('[CON14] an export of subscribers: counts the rows that it wrote', async () => {
    const headers = {
      'x-rowpress-account': client.account.name,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const send = (path: string, body: object) =>
      operator.request('POST', `/acting/subscribers${path}`, { headers, body: JSON.stringify(body) });
    for (const email of ['ada@example.com', 'grace@example.com']) {
      headers['idempotency-key'] = randomUUID();
      expect((await send('/subscribers', { email })).status).toBe(201);
    }
    expect((await send('/jobs/subscriber-exports', {})).status).toBe(202);
    const exported = () => listJobs('?surface=subscribers');
    await expect.poll(async () => (await exported())[0]?.state).toBe('completed');
    expect((await exported())[0]?.rows).toEqual({ total: 2, done: 2, succeeded: 2, failed: 0 });
  });

  it('[CON14] account, surface, state, id, request id and request key: filter the list', async () => {
    const key = `find-${randomUUID()}`;
    const headers = { 'x-request-id': `request-${key}` };
    const { body: job } = await client.create({ rows_json: rowsJson([badRow]) }, { key, headers });
    const ids = async (query: string) => (await listJobs(query)).map(({ id }) => id);
    for (const q of [job.job_id, key, `request-${key}`]) expect(await ids(`?q=${q}`)).toEqual([job.job_id]);
    expect(await ids(`?account=${client.account.id}&state=failed&surface=bulkfill`)).toContain(job.job_id);
    expect(await ids('?state=completed')).not.toContain(job.job_id);
    expect(await ids('?surface=ingest')).toEqual([]);
    expect(await ids(`?q=${randomUUID()}`)).toEqual([]);
    const first = (await operator.get<Listed<Job>>('/jobs?limit=1')).body;
    const second = (await operator.get<Listed<Job>>(`/jobs?limit=1&cursor=${first.next_cursor}`)).body;
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id);
    expect((await operator.get('/jobs?cursor=x')).status).toBe(400);
    expect((await operator.get('/jobs?q=%00')).status).toBe(400);
  });

  it('[CON14] one job: slices, artifact and digests, and a download path that works', async () => {
    const { body: job } = await client.create({ rows_json: rowsJson(goodRows(7)) });
    const { body } = await operator.get(`/jobs/${job.job_id}`);
    expect(body).toMatchObject({
      slices: { total: 1, done: 1, open: 0, dropped: 0 },
      artifact: { media_type: 'application/zip', size_bytes: job.result?.file_size_bytes, available: true },
      body_parts: {
        pdf: expect.stringMatching(/^[0-9a-f]{12}$/),
        rows: expect.stringMatching(/^[0-9a-f]{12}$/),
      },
      deliveries: [],
    });
    const { download_path: path } = body.artifact as { download_path: string };
    const address = `${path.replace('/operator/v1', '')}?account=${client.account.name}`;
    expect((await operator.fetch(address)).headers.get('content-type')).toBe('application/zip');
    expect((await operator.get(`/jobs/${randomUUID()}`)).body.error.code).toBe('NOT_FOUND');
    expect((await operator.get('/jobs/none')).status).toBe(404);
  });

  it('[CON14] cancel of a settled job: rejected', async () => {
    const { body: job } = await client.create();
    const { status, body } = await operator.post(`/jobs/${job.job_id}/cancel`);
    expect([status, body.error.code]).toEqual([409, 'JOB_SETTLED']);
  });

  it('[CON15] rows with problems: code, message and overlay, but no values', async () => {
    const secret = 'a-very-private-name';
    const rows = [
      { column_0: secret, column_1: 'code' },
      badRow,
      { column_0: secret, column_1: '' },
      { column_0: secret },
    ];
    const { body: job } = await client.create({ rows_json: rowsJson(rows), max_failed_row_percent: '100' });
    const { body } = await operator.get<Listed<object>>(`/jobs/${job.job_id}/problem-rows`);
    expect(body.items[0]).toMatchObject({ row_number: 2, status: 'failed', code: 'ROW_VALUE_INVALID' });
    expect(body.items).toContainEqual(
      expect.objectContaining({ row_number: 3, status: 'partial', code: 'CODE_VALUE_BLANK', field: 'code' }),
    );
    expect(JSON.stringify(body)).not.toContain(secret);
    const pages: object[] = [];
    let cursor: string | null = '';
    for (let i = 0; i < 10 && cursor !== null; i += 1) {
      const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = (await operator.get<Listed<object>>(`/jobs/${job.job_id}/problem-rows?limit=1${at}`)).body;
      pages.push(...page.items);
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(body.items);
  });

  it('[CON15] rows with problems of a failed job: listed until its rows are deleted', async () => {
    const { body: job } = await client.create({ rows_json: rowsJson([badRow, ...goodRows(2)]) });
    expect(job.status).toBe('failed');
    const address = `/jobs/${job.job_id}/problem-rows`;
    expect((await operator.get<Listed<object>>(address)).body.items[0]).toMatchObject({ row_number: 1 });
  });
});

it('[CON16] the stream: the progress and the end of a job', async () => {
  const leave = new AbortController();
  const response = await operator.fetch('/jobs/stream', { signal: leave.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const { body: job } = await client.create({ rows_json: rowsJson(goodRows(50)) });
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if (events(text).some(({ id, state }) => id === job.job_id && state === 'completed')) break;
  }
  const last = events(text).findLast(({ id }) => id === job.job_id);
  const { rows, ...shown } = last ?? {};
  expect(shown).toMatchObject({ id: job.job_id, state: 'completed', surface: 'bulkfill' });
  expect(rows).toMatchObject({ total: 50, done: 50, failed: 0 });
  leave.abort();
});

function events(text: string): Job[] {
  return [...text.matchAll(/event: job\ndata: (.*)\n\n/g)].map(([, data = '']) => JSON.parse(data));
}

describe('deliveries', () => {
  interface Delivery {
    readonly id: string;
    readonly event_id: string;
    readonly state: string;
    readonly job_id: string;
    readonly attempts: readonly {
      readonly status: number | null;
      readonly error: string | null;
      readonly ms: number;
    }[];
    readonly body: string;
  }

  it('[CON17] a delivery: shown with every attempt, and sent again with the same bytes', async () => {
    const receiver = await startReceiver(certificate, 500, 200);
    const { body: job } = await client.create({
      delivery_mode: 'webhook',
      webhook_url: `https://hooks.test:${receiver.port}/in`,
      webhook_secret: 'a shared secret',
    });
    await expect.poll(() => receiver.received.length).toBe(1);
    const list = async () =>
      (await operator.get<Listed<Delivery>>(`/deliveries?job=${job.job_id}`)).body.items;
    await expect.poll(async () => (await list())[0]).toMatchObject({ last_status: 500 });
    const [failed] = await list();
    const { body: shown } = await operator.get<Delivery>(`/deliveries/${failed?.id}`);
    expect(shown).toMatchObject({
      state: 'pending',
      job_id: job.job_id,
      event: 'bulkfill.export_job.completed',
    });
    expect(shown.attempts).toMatchObject([{ n: 1, status: 500, error: 'answered 500' }]);
    expect(shown.body).toBe(receiver.received[0]?.body.toString());
    expect((await operator.post(`/deliveries/${failed?.id}/redeliver`)).status).toBe(200);
    await expect.poll(() => receiver.received.length).toBe(2);
    expect(receiver.received[1]?.body).toEqual(receiver.received[0]?.body);
    await expect.poll(async () => (await list())[0]?.state).toBe('delivered');
    const again = await operator.post<Delivery>(`/deliveries/${failed?.id}/redeliver`);
    expect([again.body.event_id, again.body.id === failed?.id]).toEqual([failed?.event_id, false]);
    await expect.poll(() => receiver.received.length).toBe(3);
    const byEvent = await operator.get<Listed<Delivery>>(`/deliveries?event=${failed?.event_id}`);
    expect(byEvent.body.items).toHaveLength(2);
    expect((await operator.post(`/deliveries/${randomUUID()}/redeliver`)).status).toBe(404);
  });

  it('[CON17] a test event: signed, sent once and shown', async () => {
    const receiver = await startReceiver(certificate, 200, 503);
    const order = {
      account: client.account.name,
      url: `https://hooks.test:${receiver.port}/t`,
      surface: 'subscribers',
    };
    const { body } = await operator.post<{ delivery: Delivery; secret: string }>('/webhook-tests', order);
    expect(body.delivery).toMatchObject({ state: 'delivered', event: 'subscribers.test' });
    expect(body.secret).toMatch(/^whsec_/);
    expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    const failed = await operator.post<{ attempt: object; delivery: Delivery }>('/webhook-tests', {
      ...order,
      secret: 'mine',
    });
    expect(failed.body).toMatchObject({ attempt: { status: 503 }, delivery: { state: 'exhausted' } });
    expect(failed.body).not.toHaveProperty('secret');
  });

  it('[CON17] a test event to a private address: blocked', async () => {
    const order = { account: client.account.name, url: 'https://127.0.0.1/x', surface: 'bulkfill' };
    const { body } = await operator.post<{ attempt: { error: string; status: null } }>(
      '/webhook-tests',
      order,
    );
    expect(body.attempt).toMatchObject({ status: null, error: expect.stringContaining('target refused') });
  });
});
