import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchHit } from '#console/contract/search.ts';
import {
  type BulkfillClient,
  badRow,
  goodRows,
  openScene,
  rowsJson,
  type Scene,
} from '../support/bulkfill-client.ts';
import { type ConsoleClient, type Listed, signedIn } from '../support/console-client.ts';

let scene: Scene;
let client: BulkfillClient;
let operator: ConsoleClient;
beforeAll(async () => {
  scene = await openScene();
  client = scene.client;
  operator = await signedIn(scene.server);
});
afterAll(() => scene.server.stop());

const acting = (account = client.account.name) => ({ 'x-rowpress-account': account });
const jsonHeaders = (more: Record<string, string>) => ({ 'content-type': 'application/json', ...more });

interface Inspected extends Listed<Record<string, unknown>> {
  readonly conflicts: readonly { readonly request_id: string; readonly differs_in: string[] }[];
}
const inspect = async (query: string) => (await operator.get<Inspected>(`/request-keys?${query}`)).body;

describe('request keys', () => {
  it('[CON25] a request key: its job, its window and the digests of its parts', async () => {
    const key = `inspect-${randomUUID()}`;
    const { body: job } = await client.create({}, { key, headers: { 'x-request-id': 'first-of-all' } });
    const { items, conflicts } = await inspect(`key=${key}`);
    expect(conflicts).toEqual([]);
    expect(items).toEqual([
      {
        key,
        surface: 'bulkfill',
        scope: 'bulkfill.export',
        account: client.account.name,
        job: { id: job.job_id, public_id: job.job_id, kind: 'bulkfill.export', state: 'completed' },
        response: null,
        first_request_id: 'first-of-all',
        created_at: job.created_at,
        expires_at: new Date(Date.parse(job.created_at) + 86_400_000).toISOString(),
        body_parts: expect.objectContaining({
          pdf: expect.stringMatching(/^[0-9a-f]{12}$/),
          rows: expect.stringMatching(/^[0-9a-f]{12}$/),
        }),
      },
    ]);
    expect((await inspect(`key=${randomUUID()}`)).items).toEqual([]);
  });

  it('[CON25] one key in two accounts: two results, which filters separate', async () => {
    const key = `shared-${randomUUID()}`;
    const other = await scene.another();
    await client.create({}, { key });
    await other.create({}, { key });
    expect((await inspect(`key=${key}`)).items).toHaveLength(2);
    expect((await inspect(`key=${key}&account=${other.account.name}`)).items).toMatchObject([
      { account: other.account.name },
    ]);
    expect((await inspect(`key=${key}&surface=subscribers`)).items).toEqual([]);
  });

  it('[CON25] requests with another body: listed with what differed; the last twenty are kept', async () => {
    const key = `conflict-${randomUUID()}`;
    await client.create({}, { key });
    for (let i = 0; i < 22; i += 1) {
      const headers = { 'x-request-id': `conflict-${i}` };
      const refused = await client.create({ rows_json: rowsJson(goodRows(4)) }, { key, headers });
      expect([refused.status, refused.body.differs_in]).toEqual([409, ['rows']]);
    }
    await expect.poll(async () => (await inspect(`key=${key}`)).conflicts[0]?.request_id).toBe('conflict-21');
    const { conflicts } = await inspect(`key=${key}`);
    expect(conflicts).toHaveLength(20);
    expect(conflicts[0]).toMatchObject({
      surface: 'bulkfill',
      account: client.account.name,
      differs_in: ['rows'],
    });
    const hits = (await operator.get<{ hits: SearchHit[] }>('/search?q=conflict-21')).body.hits;
    expect(hits).toMatchObject([{ type: 'request_key', id: key }]);
  });

  it('[CON25] a stored response: shown by its status; Ingest warns instead of rejecting', async () => {
    const key = randomUUID();
    const tag = (name: string) =>
      operator.request('POST', '/acting/subscribers/tags', {
        headers: jsonHeaders({ ...acting(), 'idempotency-key': key }),
        body: JSON.stringify({ name }),
      });
    expect((await tag('red')).status).toBe(201);
    expect((await tag('blue')).status).toBe(409);
    await expect.poll(async () => (await inspect(`key=${key}`)).conflicts).toHaveLength(1);
    expect((await inspect(`key=${key}`)).items).toMatchObject([
      { surface: 'subscribers', job: null, response: { status: 201 } },
    ]);
    const correlation = randomUUID();
    const send = (id: string) =>
      operator.request('POST', '/acting/ingest/master/uoms', {
        headers: jsonHeaders({ ...acting(), 'x-correlation-id': correlation }),
        body: JSON.stringify({ items: [{ source_id: id }] }),
      });
    await send('EA');
    expect((await send('KG')).headers.get('x-correlation-warning')).toBe('reused-with-another-request');
    await expect
      .poll(async () => (await inspect(`key=${correlation}&surface=ingest`)).conflicts)
      .toMatchObject([{ surface: 'ingest', differs_in: ['request'] }]);
  });
});

describe('search', () => {
  const search = async (q: string) =>
    (await operator.get<{ hits: SearchHit[] }>(`/search?q=${encodeURIComponent(q)}`)).body.hits;

  it('[CON26] the id, request id or request key of a job: finds the job', async () => {
    const key = `search-${randomUUID()}`;
    const headers = { 'x-request-id': `request-${key}` };
    const { body: job } = await client.create({}, { key, headers });
    const hit = { type: 'job', id: job.job_id, path: `/console/jobs/${job.job_id}` };
    expect(await search(job.job_id)).toMatchObject([hit]);
    expect(await search(` request-${key} `)).toMatchObject([hit]);
    expect(await search(key)).toMatchObject([
      hit,
      { type: 'request_key', id: key, path: `/console/request-keys?key=${key}` },
    ]);
  });

  it('[CON26] a key or an account: found; unknown text: no result', async () => {
    const { key, keyId, name } = client.account;
    for (const text of [keyId, key])
      expect(await search(text)).toMatchObject([
        { type: 'key', id: keyId, path: `/console/keys?key=${keyId}` },
      ]);
    expect(await search(name.toUpperCase())).toContainEqual(
      expect.objectContaining({ type: 'account', title: name, path: `/console/accounts?account=${name}` }),
    );
    expect(await search('   ')).toEqual([]);
    expect(await search(randomUUID())).toEqual([]);
  });
});

it('[CON23] usage: jobs and rows by day, and the rest of the plan', async () => {
  const other = await scene.another('free');
  await other.create({ rows_json: rowsJson(goodRows(3)) });
  await other.create({ rows_json: rowsJson([badRow, ...goodRows(3)]), max_failed_row_percent: '50' });
  interface Usage {
    readonly days: readonly { readonly date: string; readonly jobs: number; readonly rows: number }[];
    readonly quota: Record<string, unknown> | null;
  }
  const { body } = await operator.get<Usage>(`/usage?account=${other.account.name}&days=7`);
  expect(body.days).toHaveLength(7);
  const today = scene.server.clock.now().toISOString().slice(0, 10);
  expect(body.days.at(-1)).toEqual({ date: today, jobs: 2, rows: 7, failed_rows: 1 });
  expect(body.days[0]).toMatchObject({ jobs: 0, rows: 0 });
  expect(body.quota).toMatchObject({ plan: 'free', rows_per_month: 100, used: 7, reserved: 0 });
  expect(String(body.quota?.resets_at)).toMatch(/^\d{4}-\d\d-01T00:00:00\.000Z$/);
  const all = (await operator.get<Usage>('/usage')).body;
  expect([all.days.length, all.quota]).toEqual([30, null]);
  expect(all.days.at(-1)?.jobs).toBeGreaterThan(2);
});

it('[CON24] ingest: partners, collections, items; quarantine is released through the surface', async () => {
  const { name } = await scene.server.account({ surface: 'ingest' });
  const send = (path: string, body: object = {}) =>
    operator.request<Record<string, never>>('POST', `/acting/ingest${path}`, {
      headers: jsonHeaders({ ...acting(name), 'x-correlation-id': randomUUID() }),
      body: JSON.stringify(body),
    });
  const uom = (id: string) => ({ source_id: id, source_version: 1, name: id });
  const sku = { source_id: 'S1', source_version: 1, name: 'Screw', base_uom: 'BOX' };
  await send('/master/uoms', { items: [uom('EA'), uom('KG')] });
  await send('/master/skus', { items: [sku] });
  interface Overview extends Listed<{ partner: string; collections: readonly object[] }> {
    readonly collections: readonly string[];
  }
  const { body } = await operator.get<Overview>(`/ingest/overview?account=${name}`);
  expect(body.collections).toContain('master/uoms');
  expect(body.items).toMatchObject([{ account: name, partner: name }]);
  expect(body.items[0]?.collections).toContainEqual({
    name: 'master/uoms',
    items: 2,
    active: 2,
    quarantined: 0,
  });
  const page = (query: string) =>
    operator.get<Listed<{ source_id: string }>>(
      `/ingest/items?account=${name}&collection=master/uoms${query}`,
    );
  const first = (await page('&limit=1')).body;
  expect(first).toMatchObject({
    items: [{ source_id: 'EA', state: 'ACTIVE', changes: 1 }],
    next_cursor: 'EA',
  });
  expect((await page('&limit=1&cursor=EA')).body.items).toMatchObject([{ source_id: 'KG' }]);
  expect((await page('&q=K')).body.items).toMatchObject([{ source_id: 'KG' }]);
  expect((await operator.get(`/ingest/items?account=${name}&collection=none`)).status).toBe(404);
  expect(body.items[0]?.collections).toContainEqual({
    name: 'master/skus',
    items: 0,
    active: 0,
    quarantined: 1,
  });
  const open = await operator.get<{ data: { quarantine_id: string }[] }>(
    '/acting/ingest/quarantine?status=OPEN',
    acting(name),
  );
  const released = await send(`/quarantine/${open.body.data[0]?.quarantine_id}/release`);
  expect(released.status).toBe(200);
  const history = await operator.get('/acting/ingest/master/skus/S1/history', acting(name));
  expect(history.status).toBe(200);
  const { items } = (await operator.get<Listed<{ action: string }>>('/audit')).body;
  expect(items.slice(0, 3)).toMatchObject([
    { action: 'item-history.read', account: name, target: '/master/skus/S1/history' },
    { action: 'quarantine.released', account: name },
    { action: 'quarantine.listed', account: name },
  ]);
});
