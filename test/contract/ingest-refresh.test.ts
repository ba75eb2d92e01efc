import { expect, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { exportedTables } from '../support/exported-tables.ts';
import { skus, startIngest } from '../support/ingest.ts';

const EACH = { source_id: 'EA', name: 'Each' };

test('[ING24] a full refresh: items that it does not name become inactive; one that returns keeps its id', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const { client } = await startIngest({ workers: 0, clock });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const items = skus(6).map((item) => ({ ...item, source_id: String(item.source_id), source_version: 5 }));
  const [a, b, c, d, e, f] = items;
  const first = await partner.send('/master/skus', items);
  clock.advance(1000);
  // b is sent again; c cannot be accepted but counts as present; d is rejected but readable.
  const refresh = await partner.send('/master/skus?mode=full-refresh', [
    { ...b, source_version: 6 },
    { ...c, source_version: 6, base_uom: 'NONE' },
    { ...d, name: '' },
  ]);
  expect(refresh.status).toBe(200);
  expect(refresh.body).toMatchObject({
    summary: { accepted: 1, replay: 0, quarantined: 1, rejected: 1 },
    tombstoned: 3,
  });
  const state = async (item: { source_id: string } | undefined) =>
    (await partner.get(`/master/skus/${item?.source_id}`)).body.state;
  expect(await Promise.all([a, b, c, d, e, f].map(state))).toEqual([
    'INACTIVE',
    'ACTIVE',
    'ACTIVE',
    'ACTIVE',
    'INACTIVE',
    'INACTIVE',
  ]);

  clock.advance(1000);
  const back = await partner.send('/master/skus', [
    { ...a, source_version: 5 },
    { ...e, source_version: 4 },
    { source_id: f?.source_id, name: 'no version', base_uom: 'EA' },
  ]);
  expect(back.body.results.map((r: { status: string }) => r.status)).toEqual([
    'ACCEPTED',
    'REPLAY',
    'ACCEPTED',
  ]);
  expect(back.body.results[0].internal_id).toBe(first.body.results[0].internal_id);
  expect(await Promise.all([a, e, f].map(state))).toEqual(['ACTIVE', 'INACTIVE', 'ACTIVE']);
  const history = (await partner.get(`/master/skus/${a?.source_id}/history`)).body.data;
  expect(history.map((entry: { change: string }) => entry.change)).toEqual([
    'REACTIVATED',
    'TOMBSTONED',
    'CREATED',
  ]);
});

test('[ING25] an empty refresh without confirmation, and a refresh beside another load: rejected; upserts pass', async () => {
  const { client, startWorkers } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const empty = await partner.send('/master/skus?mode=full-refresh', []);
  expect([empty.status, empty.body.type.split('#')[1]]).toEqual([422, 'business-invalid']);
  expect((await partner.send('/master/skus?mode=full-refresh&confirm=empty', [])).status).toBe(200);

  const bulk = await partner.send('/master/skus?mode=bulk', skus(3));
  expect(bulk.status).toBe(202);
  const during = await partner.send('/master/skus?mode=full-refresh', skus(3));
  expect([during.status, during.body.type.split('#')[1]]).toEqual([409, 'state-conflict']);
  expect((await partner.send('/master/skus?mode=full-refresh', skus(6000))).status).toBe(409);
  expect((await partner.send('/master/skus?mode=bulk', skus(3))).status).toBe(202);
  expect((await partner.send('/master/uoms?mode=full-refresh', [EACH])).status).toBe(200);
  const stranger = await client({ partner: 'OTHER' });
  expect((await stranger.send('/master/skus?mode=full-refresh', skus(1))).status).toBe(200);

  const refresh = await partner.send('/master/lots?mode=full-refresh', skus(5001));
  expect(refresh.status).toBe(202);
  expect((await partner.send('/master/lots?mode=bulk', skus(1))).status).toBe(409);
  expect((await partner.send('/master/lots?mode=full-refresh', skus(1))).status).toBe(409);
  expect((await partner.send('/master/lots', skus(1))).status).toBe(200);
  startWorkers();
  await partner.ended(bulk.body.job_id);
  await partner.ended(refresh.body.job_id);
  expect((await partner.send('/master/lots?mode=full-refresh&confirm=empty', [])).status).toBe(200);
});

test('[ING24] [ING26] a large refresh: tombstones last, and only items not written since it was accepted', async () => {
  const { client, startWorkers, env } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  await partner.send('/master/skus', skus(50, ['EA'], 1_000_001));
  const items: Record<string, unknown>[] = skus(12_000);
  items[11_000] = { source_id: 'SKU-1000001', name: '' };
  const refresh = await partner.send('/master/skus?mode=full-refresh', items);
  expect(refresh.status).toBe(202);
  const meanwhile = await partner.send('/master/skus', skus(1, ['EA'], 2_000_001));
  expect(meanwhile.body.summary.accepted).toBe(1);
  startWorkers();
  const job = await partner.ended(refresh.body.job_id);
  expect(job).toMatchObject({
    status: 'COMPLETED',
    tombstoned: 49,
    summary: { accepted: 11_999, rejected: 1 },
  });
  expect((await partner.get('/master/skus/SKU-1000001')).body.state).toBe('ACTIVE');
  expect((await partner.get('/master/skus/SKU-1000002')).body.state).toBe('INACTIVE');
  expect((await partner.get('/master/skus/SKU-2000001')).body.state).toBe('ACTIVE');
  expect((await exportedTables(env)).get('ingest_seen')).toBe('');
});

test('[ING24] [ING3] a refresh for one warehouse: leaves items last written for another, or for none', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const { client } = await startIngest({ clock, settings: { bulkAsyncThreshold: 3 } });
  const all = await client({ partner: 'ERP' });
  const first = await client({ partner: 'ERP', warehouses: ['W1'] });
  const at = (warehouse: string) => ({ headers: { 'x-warehouse-id': warehouse } });
  const unit = (id: string) => ({ source_id: id, source_version: 1, name: id });
  await all.send('/master/uoms', [unit('wide')]);
  await all.send('/master/uoms', [unit('second'), { ...unit('moved') }], at('W2'));
  const made = await first.send('/master/uoms', [unit('kept'), unit('gone')], at('W1'));
  // One key, one item: a different warehouse does not create a second item.
  const moved = await all.send('/master/uoms', [{ ...unit('moved'), source_version: 2 }], at('W1'));
  expect([made.body.summary.accepted, moved.body.results[0].status]).toEqual([2, 'ACCEPTED']);
  const states = async () =>
    Promise.all(
      ['wide', 'second', 'moved', 'kept', 'gone'].map(
        async (id) => (await all.get(`/master/uoms/${id}`)).body.state,
      ),
    );
  clock.advance(1000);
  const refresh = await first.send('/master/uoms?mode=full-refresh', [unit('kept')], at('W1'));
  expect(refresh.body).toMatchObject({ summary: { replay: 1 }, tombstoned: 2 });
  expect(await states()).toEqual(['ACTIVE', 'ACTIVE', 'INACTIVE', 'ACTIVE', 'INACTIVE']);
  clock.advance(1000);
  const large = ['a', 'b', 'c', 'd'].map(unit);
  const job = await all.send('/master/uoms?mode=full-refresh', large, at('W2'));
  expect(await all.ended(job.body.job_id)).toMatchObject({ status: 'COMPLETED', tombstoned: 1 });
  expect(await states()).toEqual(['ACTIVE', 'INACTIVE', 'INACTIVE', 'ACTIVE', 'INACTIVE']);
});
