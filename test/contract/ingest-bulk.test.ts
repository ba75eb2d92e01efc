import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { skus, startIngest } from '../support/ingest.ts';

const EACH = { source_id: 'EA', name: 'Each' };
const NDJSON = { type: 'application/x-ndjson' };
const lines = (items: readonly unknown[]) => `${items.map((item) => JSON.stringify(item)).join('\n')}\n`;

test('[ING20] [ING22] a bulk call: a job; the same correlation id returns it, a new one makes a new job', async () => {
  const { client, errors } = await startIngest();
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const id = randomUUID();
  const items = [...skus(300), { source_id: 'bad' }, { ...skus(1)[0], source_id: 'q', base_uom: 'NONE' }];
  const first = await partner.send('/master/skus?mode=bulk', items, { id });
  expect(first.status).toBe(202);
  expect(first.body).toEqual({
    job_id: expect.stringMatching(/^job-[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    status_url: `/wms-ingest/v1/jobs/${first.body.job_id}`,
    accepted_items: 302,
  });
  const same = await partner.send('/master/skus?mode=bulk', items, { id });
  expect([same.status, same.text]).toEqual([202, first.text]);

  const job = await partner.ended(first.body.job_id);
  expect(job).toMatchObject({
    job_id: first.body.job_id,
    status: 'COMPLETED',
    collection: 'master/skus',
    mode: 'bulk',
    summary: { accepted: 300, replay: 0, quarantined: 1, rejected: 1 },
    progress: { processed: 302, total: 302 },
    results_url: `/wms-ingest/v1/jobs/${first.body.job_id}/results`,
    error: null,
  });
  for (const time of ['created_at', 'started_at', 'completed_at']) expect(job[time]).toMatch(/^\d{4}-.*Z$/);
  expect((await partner.send('/master/skus?mode=bulk', items, { id })).text).toBe(first.text);
  expect((await partner.get(`/jobs/${first.body.job_id}`)).body).toEqual(job);

  const page = await partner.get(`/jobs/${first.body.job_id}/results?limit=200`);
  const rest = await partner.get(
    `/jobs/${first.body.job_id}/results?limit=200&cursor=${page.body.next_cursor}`,
  );
  expect([page.body.data.length, rest.body.data.length, rest.body.next_cursor]).toEqual([200, 102, null]);
  const all = [...page.body.data, ...rest.body.data];
  expect(all.map((result) => result.source_id)).toEqual(items.map((item) => item.source_id));
  const stream = await partner.get(`/jobs/${first.body.job_id}/results`, { accept: 'application/x-ndjson' });
  expect(stream.headers.get('content-type')).toBe('application/x-ndjson');
  expect(
    stream.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(all);

  const second = await partner.send('/master/skus?mode=bulk', items);
  expect(second.body.job_id).not.toBe(first.body.job_id);
  expect((await partner.ended(second.body.job_id)).summary).toEqual({
    accepted: 0,
    replay: 300,
    quarantined: 1,
    rejected: 1,
  });
  expect(errors).toEqual([]);
  for (const foreign of ['job-01ARZ3NDEKTSV4RRFFQ69G5FAV', 'job-x', 'x'])
    expect((await partner.get(`/jobs/${foreign}`)).status).toBe(404);
  const stranger = await client({ account: 'other' });
  expect((await stranger.get(`/jobs/${first.body.job_id}`)).status).toBe(404);
  const sibling = await client({ partner: 'SIBLING' });
  expect((await sibling.get(`/jobs/${first.body.job_id}/results`)).status).toBe(404);
});

test('[ING20] more items than the threshold: any call becomes a job', async () => {
  const { client } = await startIngest({ settings: { bulkAsyncThreshold: 10 } });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  expect((await partner.get('/capabilities')).body.bulk_async_threshold).toBe(10);
  expect((await partner.send('/master/skus', skus(10))).status).toBe(200);
  const items = skus(10).map((item) => JSON.stringify(item));
  const broken = await partner.post('/master/skus', `{"items":[${items},{"source_id":tru}]}`);
  expect([broken.status, broken.body.detail]).toEqual([400, 'The body is not valid JSON.']);
  const async = await partner.send('/master/skus', skus(11));
  expect([async.status, async.body.accepted_items]).toEqual([202, 11]);
  const job = await partner.ended(async.body.job_id);
  expect([job.mode, job.summary]).toEqual([
    'upsert',
    { accepted: 1, replay: 10, quarantined: 0, rejected: 0 },
  ]);
});

test('[ING21] NDJSON: one item a line, unreadable lines are rejected with their number, blank ones do not count', async () => {
  const { client } = await startIngest();
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const [a, b, c] = skus(3).map((item) => JSON.stringify(item));
  const parts = [
    `\ufeff${a}`,
    '',
    '{"source_id":',
    ' \t\r',
    `${b}\r`,
    '1,2',
    `{"source_id":"${'x'.repeat(1_100_000)}"}`,
    '{"source_id":"p","__proto__":{}}',
  ];
  const body = Buffer.concat([
    Buffer.from(`${parts.join('\n')}\n`),
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d, 0x0a]),
    Buffer.from(c ?? ''),
  ]);
  const response = await fetch(`${partner.url}/wms-ingest/v1/master/skus?mode=bulk`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${partner.key}`,
      'x-correlation-id': randomUUID(),
      'content-type': NDJSON.type,
    },
    body,
  });
  const accepted = (await response.json()) as { job_id: string; accepted_items: number };
  expect([response.status, accepted.accepted_items]).toEqual([202, 8]);
  const job = await partner.ended(accepted.job_id);
  expect(job.summary).toEqual({ accepted: 3, replay: 0, quarantined: 0, rejected: 5 });
  const { data } = (await partner.get(`/jobs/${accepted.job_id}/results`)).body;
  expect(data.map((r: { status: string; reason?: string }) => r.reason ?? r.status)).toEqual([
    'ACCEPTED',
    'line 3 is not valid JSON',
    'ACCEPTED',
    'line 6 is not valid JSON',
    'line 7 is larger than the limit of 1 MiB',
    'has a member named __proto__',
    'line 9 is not UTF-8',
    'ACCEPTED',
  ]);
  const sync = await partner.post('/master/skus', lines(skus(2)), NDJSON);
  expect([sync.status, sync.body.summary.replay]).toEqual([200, 2]);
  const broken = await partner.post('/master/skus?mode=bulk', `{"items":[${a},{"source_id":tru}]}`);
  expect([broken.status, broken.body.detail]).toEqual([400, 'The body is not valid JSON.']);
  const cut = await partner.post('/master/skus?mode=bulk', `{"items":[${a},`);
  expect(cut.status).toBe(400);
});

test('[ING21] [ING12] a load of several slices: order and references hold across them', async () => {
  const { client } = await startIngest();
  const partner = await client();
  const zones = Array.from({ length: 25_000 }, (_, i) => ({
    source_id: `Z-${(i * 7919) % 25_000}`,
    source_version: 1,
    kind: 'ZONE',
    name: `Zone ${i}`,
    ...(i > 0 && { parent_source_id: `Z-${((i - 1) * 7919) % 25_000}` }),
  }));
  // A single chain would be 25,000 deep; every hundredth item starts a new one.
  const items = zones.map((zone, i) => (i % 100 === 0 ? { ...zone, parent_source_id: undefined } : zone));
  const accepted = await partner.post('/master/locations?mode=bulk', lines(items), NDJSON);
  expect(accepted.body.accepted_items).toBe(25_000);
  const job = await partner.ended(accepted.body.job_id);
  expect(job.summary).toEqual({ accepted: 25_000, replay: 0, quarantined: 0, rejected: 0 });
  const seen = new Set<string>();
  let cursor = '';
  for (let page = 0; page < 26; page += 1) {
    const { body } = await partner.get(`/jobs/${accepted.body.job_id}/results?limit=1000${cursor}`);
    for (const { source_id } of body.data) seen.add(source_id);
    if (body.next_cursor === null) break;
    cursor = `&cursor=${body.next_cursor}`;
  }
  expect(seen.size).toBe(25_000);
});

test('[ING36] validate_only: reports what would happen and stores nothing, not even its correlation id', async () => {
  const { client } = await startIngest({ workers: 0, settings: { bulkAsyncThreshold: 100 } });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  await partner.send('/master/skus', skus(1));
  const id = randomUUID();
  const items = [...skus(2), { source_id: 'bad' }, { ...skus(1)[0], source_id: 'q', base_uom: 'NONE' }];
  const trial = await partner.send('/master/skus?validate_only=true', items, { id });
  expect(trial.body).toMatchObject({
    validate_only: true,
    summary: { accepted: 1, replay: 1, quarantined: 1, rejected: 1 },
  });
  expect(trial.text).not.toMatch(/internal_id|quarantine_id/);
  for (const { source_id } of items.slice(1))
    expect((await partner.get(`/master/skus/${source_id}`)).status).toBe(404);
  expect((await partner.get('/quarantine')).body.data).toEqual([]);
  const real = await partner.send('/master/skus', items, { id });
  expect([real.headers.get('x-correlation-replay'), real.body.summary]).toEqual([null, trial.body.summary]);
  expect(
    (await partner.send('/master/skus?validate_only=true&mode=full-refresh', skus(2))).body.summary.replay,
  ).toBe(2);
  expect((await partner.get('/master/skus/q')).status).toBe(404);
  expect((await partner.send('/master/skus?validate_only=true', skus(101))).status).toBe(422);
});
