import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { type IngestAnswer, type IngestClient, type IngestScene, startIngest } from '../support/ingest.ts';

/** A partner with a key for all warehouses (`all`) and keys limited to A (`a`) and B (`b`). */
let scene: IngestScene;
let clock: ManualClock;
let all: IngestClient;
let a: IngestClient;
let b: IngestClient;
beforeEach(async () => {
  clock = new ManualClock('2026-05-01T00:00:00Z');
  scene = await startIngest({ clock, settings: { bulkAsyncThreshold: 3 } });
  all = await scene.client({ partner: 'ERP' });
  a = await scene.client({ partner: 'ERP', warehouses: ['A'] });
  b = await scene.client({ partner: 'ERP', warehouses: ['B', 'C'] });
});

const at = (warehouse: string) => ({ headers: { 'x-warehouse-id': warehouse } });
const unit = (id: string, version = 1, name = id) => ({ source_id: id, source_version: version, name });
const sku = (id: string, base_uom: string, version = 1, name = id) => ({
  ...unit(id, version, name),
  base_uom,
});
const statuses = ({ body }: IngestAnswer) => body.results.map((result: { status: string }) => result.status);
const refusal = ({ status, body }: IngestAnswer) => [status, String(body.type).split('#')[1]];
const name = async (id: string) => (await all.get(`/master/uoms/${id}`)).body.item.name;

test('[ING60] a key limited to one warehouse sends an item of another, or of the partner: REJECTED, nothing changes', async () => {
  await b.send('/master/uoms', [unit('of-b')], at('B'));
  await all.send('/master/uoms', [unit('wide')]);
  await a.send('/master/uoms', [unit('of-a')], at('A'));
  const items = [unit('of-b', 2, 'stolen'), unit('wide', 2, 'stolen'), unit('of-a', 2, 'mine'), unit('new')];
  const answer = await a.send('/master/uoms', items.slice(0, 3), at('A'));
  expect(statuses(answer)).toEqual(['REJECTED', 'REJECTED', 'ACCEPTED']);
  expect(answer.body.summary).toEqual({ accepted: 1, replay: 0, quarantined: 0, rejected: 2 });
  expect(answer.body.results[0].reason).toContain('source_id: the item belongs to another warehouse');
  const { source_version: _, ...unversioned } = unit('of-b', 1, 'stolen');
  expect(statuses(await a.send('/master/uoms', [unversioned], at('A')))).toEqual(['REJECTED']);
  expect([await name('of-b'), await name('wide'), await name('of-a')]).toEqual(['of-b', 'wide', 'mine']);

  const load = await a.send('/master/uoms?mode=bulk', items, at('A'));
  const job = await a.ended(load.body.job_id);
  expect(job.summary).toEqual({ accepted: 1, replay: 1, quarantined: 0, rejected: 2 });
  const results = await a.get(`/jobs/${load.body.job_id}/results`);
  expect(results.body.data[0]).toMatchObject({ source_id: 'of-b', status: 'REJECTED' });
  expect([await name('of-b'), await name('wide')]).toEqual(['of-b', 'wide']);
});

test('[ING60] an item of another warehouse in a version that is known: REPLAY', async () => {
  await b.send('/master/uoms', [unit('of-b', 5)], at('B'));
  expect(statuses(await a.send('/master/uoms', [unit('of-b', 5), unit('of-b', 4)], at('A')))).toEqual([
    'REPLAY',
    'REPLAY',
  ]);
});

test('[ING60] an item of another warehouse twice in one batch: both REJECTED', async () => {
  await b.send('/master/uoms', [unit('of-b')], at('B'));
  const answer = await a.send('/master/uoms', [unit('of-b', 2, 'x'), unit('of-b', 3, 'y')], at('A'));
  expect(statuses(answer)).toEqual(['REJECTED', 'REJECTED']);
  expect(await name('of-b')).toBe('of-b');
});

test('[ING60] a key of several warehouses, and a key of all: change items of each of them', async () => {
  await b.send('/master/uoms', [unit('of-b')], at('B'));
  expect(statuses(await b.send('/master/uoms', [unit('of-b', 2)], at('C')))).toEqual(['ACCEPTED']);
  expect(statuses(await all.send('/master/uoms', [unit('of-b', 3)], at('A')))).toEqual(['ACCEPTED']);
  expect(statuses(await a.send('/master/uoms', [unit('of-b', 4)], at('A')))).toEqual(['ACCEPTED']);
});

test('[ING60] a rejected item of another warehouse that is inactive: satisfies no reference of the batch', async () => {
  await b.send('/master/locations', [{ ...unit('hall'), kind: 'WAREHOUSE' }], at('B'));
  clock.advance(1000);
  await b.send('/master/locations?mode=full-refresh&confirm=empty', [], at('B'));
  const answer = await a.send(
    '/master/locations',
    [
      { ...unit('hall', 2), kind: 'WAREHOUSE' },
      { ...unit('zone'), kind: 'ZONE', parent_source_id: 'hall' },
    ],
    at('A'),
  );
  expect(statuses(answer)).toEqual(['REJECTED', 'QUARANTINED']);
});

test('[ING60] a full refresh by a limited key: makes only items of its own warehouse inactive', async () => {
  await a.send('/master/uoms', [unit('of-a'), unit('kept')], at('A'));
  await b.send('/master/uoms', [unit('of-b')], at('B'));
  await all.send('/master/uoms', [unit('wide')]);
  clock.advance(1000);
  const refresh = await a.send('/master/uoms?mode=full-refresh', [unit('kept'), unit('of-b', 2)], at('A'));
  expect(refresh.body).toMatchObject({ tombstoned: 1, summary: { replay: 1, rejected: 1 } });
  const states = ['of-a', 'kept', 'of-b', 'wide'].map(
    async (id) => (await all.get(`/master/uoms/${id}`)).body.state,
  );
  expect(await Promise.all(states)).toEqual(['INACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
  expect(refusal(await a.send('/master/uoms?mode=full-refresh', [unit('kept')], at('B')))[0]).toBe(403);
});

test('[ING61] quarantine records of another warehouse, or of the partner: do not exist for a limited key', async () => {
  const made = await b.send('/master/skus', [sku('S', 'BOX')], at('B'));
  await all.send('/master/skus', [sku('W', 'BOX')]);
  const mine = await a.send('/master/skus', [sku('M', 'BOX')], at('A'));
  const id = made.body.results[0].quarantine_id;
  expect(refusal(await a.get(`/quarantine/${id}`))).toEqual([404, 'not-found']);
  expect((await a.get('/quarantine')).body.data).toMatchObject([{ source_id: 'M' }]);
  expect((await all.get('/quarantine')).body.data).toHaveLength(3);
  for (const verb of ['release', 'discard'])
    expect(refusal(await a.post(`/quarantine/${id}/${verb}`, undefined, at('A')))).toEqual([
      404,
      'not-found',
    ]);
  await all.send('/master/uoms', [unit('BOX')]);
  const redriven = await a.post('/quarantine/redrive', undefined, at('A'));
  expect(redriven.body.results).toMatchObject([{ source_id: 'M', status: 'ACCEPTED' }]);
  expect((await all.get(`/quarantine/${id}`)).body.status).toBe('OPEN');
  const own = mine.body.results[0].quarantine_id;
  expect((await a.get(`/quarantine/${own}`)).body.status).toBe('ACCEPTED');
});

test('[ING61] a limited key sends what another warehouse has in quarantine: REJECTED, the record stays', async () => {
  const made = await b.send('/master/skus', [sku('S', 'BOX', 1, 'first')], at('B'));
  const answer = await a.send('/master/skus', [sku('S', 'BOX', 1, 'second')], at('A'));
  expect(statuses(answer)).toEqual(['REJECTED']);
  expect(answer.body.summary).toEqual({ accepted: 0, replay: 0, quarantined: 0, rejected: 1 });
  const record = await all.get(`/quarantine/${made.body.results[0].quarantine_id}`);
  expect(record.body.item.name).toBe('first');
});

test('[ING62] a re-drive or a release of what a limited key sent: does not change an item that is now of another warehouse', async () => {
  const sent = await a.send('/master/skus', [sku('S', 'BOX', 9, 'stolen')], at('A'));
  const id = sent.body.results[0].quarantine_id;
  await all.send('/master/uoms', [unit('EA')]);
  await b.send('/master/skus', [sku('S', 'EA', 1, 'of b')], at('B'));
  await all.send('/master/uoms', [unit('BOX')]);
  const redriven = await all.post('/quarantine/redrive');
  expect(redriven.body).toMatchObject({ evaluated: 1, accepted: 0, quarantined: 1 });
  const item = async () => (await all.get('/master/skus/S')).body.item.name;
  expect(await item()).toBe('of b');
  expect((await all.get(`/quarantine/${id}`)).body).toMatchObject({
    status: 'OPEN',
    reason: expect.stringContaining('another warehouse'),
  });
  expect((await all.post('/quarantine/redrive')).body.evaluated).toBe(0);
  expect(refusal(await a.post(`/quarantine/${id}/release`, undefined, at('A')))).toEqual([
    403,
    'cross-warehouse-credential',
  ]);
  expect(await item()).toBe('of b');
  expect((await all.post(`/quarantine/${id}/release`)).body.status).toBe('RELEASED');
  expect(await item()).toBe('stolen');
});

test('[ING63] a limited key reads or changes webhooks or certificates: 403, whatever warehouse it names', async () => {
  const webhook = await all.post('/webhooks', { url: 'https://hooks.example.com/in' });
  const { webhook_id: id } = webhook.body;
  const thumbprint = 'ab'.repeat(32);
  const answers = await Promise.all([
    a.get('/webhooks'),
    a.get(`/webhooks/${id}/secret`),
    a.post('/webhooks', { url: 'https://hooks.example.com/other' }, at('A')),
    a.post(`/webhooks/${id}/rotate-secret`, undefined, at('A')),
    a.post(`/webhooks/${id}/remove`, undefined, at('A')),
    a.get('/certificates'),
    a.post('/certificates', { thumbprint }, at('A')),
    a.post(`/certificates/${thumbprint}/revoke`, undefined, at('A')),
  ]);
  for (const answer of answers) expect(refusal(answer)).toEqual([403, 'cross-warehouse-credential']);
  expect((await all.get('/webhooks')).body.data).toHaveLength(1);
});
