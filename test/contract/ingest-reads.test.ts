import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { startIngest } from '../support/ingest.ts';

const EACH = { source_id: 'EA', name: 'Each' };

test('[ING32] any source_id, and an internal id: find the item and its mapping', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const longest = '😀'.repeat(200);
  const odd = [
    'a/b',
    'q?x=1#y',
    '100%',
    '"quoted" \'too\'',
    'ünï ☃ 😀',
    '..',
    ' ',
    '%2F',
    'a\\b\tc',
    longest,
  ];
  const { body } = await partner.send(
    '/master/uoms',
    odd.map((source_id) => ({ source_id, name: 'Odd' })),
  );
  for (const [i, source_id] of odd.entries()) {
    const internal_id = body.results[i].internal_id;
    const path = source_id === '..' ? '%2E%2E' : encodeURIComponent(source_id);
    const mapping = {
      collection: 'master/uoms',
      source_id,
      internal_id,
      source_version: null,
      state: 'ACTIVE',
    };
    expect((await partner.get(`/mappings/by-internal-id/${internal_id}`)).body).toEqual(mapping);
    if (source_id === '..') continue; // A URL parser resolves it before it is sent.
    expect((await partner.get(`/master/uoms/${path}`)).body).toMatchObject({
      source_id,
      internal_id,
      item: { name: 'Odd' },
    });
    expect((await partner.get(`/mappings/master/uoms/${path}`)).body).toEqual(mapping);
    expect((await partner.get(`/master/uoms/${path}/history`)).body.data).toHaveLength(1);
  }
  const stranger = await client({ account: 'other' });
  const known = body.results[0].internal_id;
  for (const path of [
    '/master/uoms/a%2Fb',
    '/mappings/master/uoms/a%2Fb',
    '/master/uoms/a%2Fb/history',
    `/mappings/by-internal-id/${known}`,
    '/mappings/by-internal-id/sku-01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '/mappings/by-internal-id/nothing',
    '/no/such/thing',
  ]) {
    const answer = await stranger.get(path);
    expect([answer.status, answer.body.type.split('#')[1]], path).toEqual([404, 'not-found']);
  }
});

test('[ING33] [ING39] history: one entry per change with before and after; archiving deletes bodies only', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const { client, runChores } = await startIngest({
    workers: 0,
    clock,
    settings: { auditSeconds: 10 * 86_400 },
  });
  const partner = await client();
  const ids: string[] = [];
  for (let version = 1; version <= 5; version += 1) {
    const id = randomUUID();
    ids.unshift(id);
    await partner.send('/master/uoms', [{ ...EACH, source_version: version, name: `v${version}` }], { id });
    await partner.send('/master/uoms', [{ ...EACH, source_version: version, name: 'replay' }]);
    clock.advance(86_400_000);
  }
  const first = (await partner.get('/master/uoms/EA/history?limit=3')).body;
  const rest = (await partner.get(`/master/uoms/EA/history?limit=3&cursor=${first.next_cursor}`)).body;
  const all = [...first.data, ...rest.data];
  expect(rest.next_cursor).toBeNull();
  expect(all.map((entry) => entry.correlation_id)).toEqual(ids);
  expect(all.map((entry) => [entry.source_version, entry.after.name, entry.before?.name])).toEqual([
    [5, 'v5', 'v4'],
    [4, 'v4', 'v3'],
    [3, 'v3', 'v2'],
    [2, 'v2', 'v1'],
    [1, 'v1', undefined],
  ]);
  expect(all[0].changed_at).toBe('2026-05-05T00:00:00.000Z');
  // Bodies from before May 3 are now older than ten days.
  clock.advance(7 * 86_400_000);
  await runChores();
  const after = (await partner.get('/master/uoms/EA/history')).body.data;
  expect(after.map((entry: { archived: boolean }) => entry.archived)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
  expect(after.map((entry: { source_version: number }) => entry.source_version)).toEqual([5, 4, 3, 2, 1]);
  expect((await partner.get('/master/uoms/EA')).body).toMatchObject({ source_version: 5 });
});

test('[ING34] capabilities: collections, modes, limits and retention', async () => {
  const { client } = await startIngest({ workers: 0 });
  const { body } = await (await client()).get('/capabilities');
  expect(body).toMatchObject({
    version: 'v1',
    modes: ['upsert', 'bulk', 'full-refresh'],
    bulk_async_threshold: 5000,
    limits: { sync_body_bytes: 4_194_304, bulk_body_bytes: 1_073_741_824 },
    retention: { correlation_seconds: 2_592_000, audit_seconds: 34_560_000 },
  });
  expect(body.collections).toHaveLength(15);
});

test('[ING35] a correlation id: returns its response with the result of each item', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const id = randomUUID();
  const first = await partner.send('/master/uoms', [EACH, {}], { id });
  const found = await partner.get(`/requests/${id.toUpperCase()}`);
  expect(found.body).toMatchObject({ correlation_id: id, job_id: null, status: 200, response: first.body });
  const bulk = await partner.send('/master/uoms?mode=bulk', [EACH]);
  const job = await partner.get(`/requests/${bulk.headers.get('x-correlation-id')}`);
  expect(job.body).toMatchObject({ status: 202, job_id: bulk.body.job_id });
  expect((await partner.get(`/requests/${randomUUID()}`)).status).toBe(404);
  expect((await (await client({ partner: 'OTHER' })).get(`/requests/${id}`)).status).toBe(404);
});
