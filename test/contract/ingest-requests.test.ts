import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { skus, startIngest } from '../support/ingest.ts';

const UNIT = { source_id: 'EA', name: 'Each' };
const V7 = '0197e0a4-7c3b-7a10-9c4e-3f6b1d2a8e90';
const ULID = '01J7Y6K1NQ3W2C0X4V0R5T6E7N';

test('[ING1] a write needs one correlation id: UUID of version 4 or 7, or ULID', async () => {
  const { client, url, env } = await startIngest({ workers: 0 });
  const partner = await client();
  for (const id of [randomUUID(), V7, ULID])
    expect((await partner.send('/master/uoms', [UNIT], { id })).status, id).toBe(200);
  const bad = [
    '',
    'x',
    'c232ab00-9414-11ec-b3c8-9f6bdeced846',
    '00000000-0000-0000-0000-000000000000',
    `${ULID}0`,
  ];
  for (const id of [...bad, `8${ULID.slice(1)}`, `${V7}, ${V7}`]) {
    const refused = await partner.send('/master/uoms', [UNIT], { id });
    expect([refused.status, refused.body.type.split('#')[1]], id).toEqual([400, 'invalid-correlation-id']);
  }
  for (const path of ['/master/uoms', '/quarantine/redrive', '/quarantine/qn-1/release', '/webhooks']) {
    const response = await fetch(`${url}/wms-ingest/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${partner.key}`, 'content-type': 'application/json' },
      body: '{"items":[]}',
    });
    expect(response.status, path).toBe(400);
  }
  const read = await partner.get('/capabilities', { 'x-correlation-id': ULID });
  expect([read.status, read.headers.get('x-correlation-id')]).toEqual([200, ULID]);
  const stored = (await exportedTables(env)).get('request_keys') ?? '';
  expect(stored.trimEnd().split('\n')).toHaveLength(3);
});

test('[ING6] [ING7] [REQ7] a correlation id used again: the first response byte for byte, whatever the request contains', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const id = ULID;
  const first = await partner.send('/master/uoms', [UNIT], { id });
  expect(first.headers.get('x-correlation-replay')).toBeNull();
  const same = await partner.send('/master/uoms', [UNIT], { id: id.toLowerCase() });
  expect([same.status, same.text, same.headers.get('content-type')]).toEqual([
    200,
    first.text,
    first.headers.get('content-type'),
  ]);
  expect([same.headers.get('x-correlation-replay'), same.headers.get('x-correlation-warning')]).toEqual([
    'true',
    null,
  ]);
  expect([first, same].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
  const others = [
    partner.send('/master/uoms', [{ ...UNIT, name: 'Other' }], { id }),
    partner.post('/master/uoms', 'not json', { id }),
    partner.post('/no/such', { items: [] }, { id }),
    partner.post('/quarantine/redrive', undefined, { id }),
    partner.post('/quarantine/redrive?collection=a&collection=b', undefined, { id }),
    partner.send('/master/uoms?mode=upsert&mode=bulk', [UNIT], { id }),
    partner.post('/master/uoms?mode=bulk', 'x'.repeat(5_000_000), { id, type: 'text/plain' }),
  ];
  for (const other of await Promise.all(others)) {
    expect([other.status, other.text]).toEqual([200, first.text]);
    expect(other.headers.get('x-correlation-warning')).toBe('reused-with-another-request');
  }
  expect((await partner.get('/master/uoms/EA')).body).toMatchObject({ item: { name: 'Each' } });
  const uuid = randomUUID();
  const upper = await partner.send('/master/uoms', [UNIT], { id: uuid.toUpperCase() });
  expect((await partner.send('/master/uoms', [], { id: uuid })).text).toBe(upper.text);
});

test('[ING6] the same request to a route that ignores its body: replayed without a warning', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const redrive = (body: unknown) => partner.post('/quarantine/redrive', body, { id: ULID });
  expect((await redrive({ note: 'a' })).status).toBe(200);
  const same = await redrive({ note: 'a' });
  const replay = ['x-correlation-replay', 'x-correlation-warning'];
  expect(replay.map((name) => same.headers.get(name))).toEqual(['true', null]);
  const other = await redrive({ note: 'b' });
  expect(replay.map((name) => other.headers.get(name))).toEqual(['true', 'reused-with-another-request']);
});

test('[ING8] a correlation id after thirty days: new; before that: a replay', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const { client } = await startIngest({ workers: 0, clock });
  const partner = await client();
  const id = randomUUID();
  await partner.send('/master/uoms', [UNIT], { id });
  clock.advance(30 * 86_400_000 - 1);
  expect(
    (await partner.send('/master/uoms', [{ ...UNIT, name: 'Late' }], { id })).headers.get(
      'x-correlation-replay',
    ),
  ).toBe('true');
  clock.advance(1);
  const again = await partner.send('/master/uoms', [{ ...UNIT, name: 'Late' }], { id });
  expect(again.body.summary.accepted).toBe(1);
  expect((await partner.get('/master/uoms/EA')).body.item.name).toBe('Late');
});

test('[ING9] a rejected request: not stored, so it can be corrected and sent again under its id', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const id = randomUUID();
  for (const body of ['{"items":', '{"item":[]}', '{"items":{}}', '[]'])
    expect((await partner.post('/master/uoms', body, { id })).status, body).toBe(400);
  expect((await partner.send('/master/nothing', [], { id })).status).toBe(404);
  expect((await partner.get(`/requests/${id}`)).status).toBe(404);
  expect((await partner.send('/master/uoms', [UNIT], { id })).status).toBe(200);
});

test('[ING10] many requests with one correlation id at once: one runs, all get its response', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [UNIT]);
  const id = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => partner.send('/master/skus', skus(200), { id })),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('x-correlation-replay') === null)).toHaveLength(1);
  for (const { source_id } of skus(200)) {
    const { body } = await partner.get(`/master/skus/${source_id}/history`);
    expect([source_id, body.data.length]).toEqual([source_id, 1]);
  }
});

test('[ING4] [ING40] a malformed envelope: a problem with a trace id; nothing is stored', async () => {
  const { client, url } = await startIngest({ workers: 0 });
  const partner = await client();
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const problem = await partner.post('/master/uoms', '{"items":{}}', { headers: { traceparent } });
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(problem.headers.get('traceparent')).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/);
  expect(problem.body).toMatchObject({
    type: expect.stringMatching(/^https?:\/\/.+#malformed-request$/),
    status: 400,
    instance: '/wms-ingest/v1/master/uoms',
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    title: expect.any(String),
    detail: expect.any(String),
  });
  const slug = async (path: string, body: unknown, type?: string) => {
    const answer = await partner.post(path, body, type === undefined ? {} : { type });
    return `${answer.status} ${answer.body.type?.split('#')[1]}`;
  };
  expect(await slug('/master/nothing', { items: [] })).toBe('404 not-found');
  expect(await slug('/master/uoms?mode=wild', { items: [] })).toBe('400 malformed-request');
  expect(await slug('/master/uoms', {})).toBe('400 malformed-request');
  expect(await slug('/master/uoms', { items: [], more: 1 })).toBe('400 malformed-request');
  expect(await slug('/master/uoms', { items: [] }, 'text/csv')).toBe('400 malformed-request');
  expect(await slug('/master/uoms', '{"items":[{"source_id":"a","name":}]}')).toBe('400 malformed-request');
  expect(await slug('/master/uoms', '{"items":[1,]}')).toBe('400 malformed-request');
  const limit = 4 * 1024 * 1024;
  const padded = (size: number) => `{"items":[]${' '.repeat(size - 12)}}`;
  expect(await slug('/master/uoms', padded(limit + 1))).toBe('413 payload-too-large');
  expect((await partner.post('/master/uoms', padded(limit))).status).toBe(200);
  const anonymous = await fetch(`${url}/wms-ingest/v1/capabilities`);
  expect([anonymous.status, anonymous.headers.get('content-type')]).toEqual([
    401,
    'application/problem+json',
  ]);
});

test('[ING40] the limits of bodies: settings, shown in the capabilities', async () => {
  const { client } = await startIngest({ workers: 0, settings: { maxUpsertBytes: 100, maxBulkBytes: 200 } });
  const partner = await client({ partner: 'SAP-TENANT-1' });
  const padded = (size: number) => `{"items":[]${' '.repeat(size - 12)}}`;
  const status = async (mode: string, size: number) =>
    (await partner.post(`/master/uoms?mode=${mode}`, padded(size))).status;
  expect([await status('upsert', 100), await status('upsert', 101)]).toEqual([200, 413]);
  expect([await status('bulk', 200), await status('bulk', 201)]).toEqual([202, 413]);
  const { limits } = (await partner.get('/capabilities')).body;
  expect(limits).toMatchObject({ sync_body_bytes: 100, bulk_body_bytes: 200 });
});

test('[ING3] a warehouse outside the key: rejected; without one, only a key of all warehouses may write', async () => {
  const { client } = await startIngest({ workers: 0 });
  const some = await client({ partner: 'SAP-TENANT-1', warehouses: ['W1', 'W2'] });
  const all = await client({ partner: 'SAP-TENANT-1' });
  const at = (warehouse: string) => ({ headers: { 'x-warehouse-id': warehouse } });
  expect((await some.send('/master/uoms', [UNIT], at('W2'))).status).toBe(200);
  const foreign = await some.send('/master/uoms', [UNIT], at('W3'));
  expect([foreign.status, foreign.body.type.split('#')[1]]).toEqual([403, 'cross-warehouse-credential']);
  expect((await some.send('/master/uoms', [UNIT])).status).toBe(403);
  expect((await some.post('/quarantine/redrive', undefined)).status).toBe(403);
  expect((await some.get('/master/uoms/EA')).status).toBe(200);
  expect((await some.get('/master/uoms/EA', { 'x-warehouse-id': 'W3' })).status).toBe(403);
  expect((await all.send('/master/uoms', [UNIT])).status).toBe(200);
  expect((await all.send('/master/uoms', [UNIT], at('W9'))).status).toBe(200);
  const { body } = await all.get('/master/uoms/EA/history');
  expect(body.data.map((entry: { warehouse_id: string | null }) => entry.warehouse_id)).toEqual([
    'W9',
    null,
    'W2',
  ]);
});
