import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startIngest } from '../support/ingest.ts';

const unit = (id: string) => ({ source_id: id, name: id });
const sku = (id: string, uom: string, version?: number) => ({
  source_id: id,
  name: `Article ${id}`,
  base_uom: uom,
  ...(version !== undefined && { source_version: version }),
});

test('[ING27] a quarantined item: stored whole; the same item and version again updates its record', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const item = { ...sku('A', 'BOX', 3), attributes: { colour: 'red' } };
  const first = (await partner.send('/master/skus', [item])).body.results[0];
  expect(first).toEqual({
    source_id: 'A',
    status: 'QUARANTINED',
    quarantine_id: expect.stringMatching(/^qn-[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    reason: 'base_uom: no active item "BOX" in master/uoms',
  });
  const record = (await partner.get(`/quarantine/${first.quarantine_id}`)).body;
  expect(record).toMatchObject({
    quarantine_id: first.quarantine_id,
    collection: 'master/skus',
    source_id: 'A',
    source_version: 3,
    reason: first.reason,
    status: 'OPEN',
    item,
  });
  const again = (await partner.send('/master/skus', [{ ...item, base_uom: 'BAG' }])).body.results[0];
  expect(again.quarantine_id).toBe(first.quarantine_id);
  expect((await partner.get(`/quarantine/${first.quarantine_id}`)).body).toMatchObject({
    item: { base_uom: 'BAG' },
    created_at: record.created_at,
  });
  const other = (await partner.send('/master/skus', [sku('A', 'BOX', 4)])).body.results[0];
  expect(other.quarantine_id).not.toBe(first.quarantine_id);
  await partner.send('/master/lots', [{ source_id: 'L', sku_source_id: 'X' }]);

  const page = (await partner.get('/quarantine?limit=2')).body;
  expect(page.data.map((r: { source_id: string }) => r.source_id)).toEqual(['L', 'A']);
  const rest = (await partner.get(`/quarantine?limit=2&cursor=${page.next_cursor}`)).body;
  expect([rest.data.length, rest.next_cursor]).toEqual([1, null]);
  expect((await partner.get('/quarantine?collection=master/skus&status=OPEN')).body.data).toHaveLength(2);
  expect((await partner.get('/quarantine?status=RELEASED')).body).toEqual({ data: [], next_cursor: null });
  expect((await partner.get('/quarantine?collection=no/such')).status).toBe(404);
  expect((await partner.get('/quarantine?cursor=x')).status).toBe(400);
  const stranger = await client({ partner: 'OTHER' });
  for (const id of [first.quarantine_id, 'qn-01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x']) {
    expect((await stranger.get(`/quarantine/${id}`)).status).toBe(404);
    expect((await stranger.post(`/quarantine/${id}/release`)).status).toBe(404);
  }
});

test('[ING28] release: accepts in spite of the rule; discard: drops the item; each once, and replayed', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const { body } = await partner.send('/master/skus', [sku('A', 'BOX', 1), sku('B', 'BOX', 1)]);
  const [a, b] = body.results.map((r: { quarantine_id: string }) => r.quarantine_id);
  const id = randomUUID();
  const released = await partner.post(`/quarantine/${a}/release`, undefined, { id });
  expect([released.status, released.body.status]).toEqual([200, 'RELEASED']);
  expect((await partner.get('/master/skus/A')).body).toMatchObject({
    internal_id: released.body.internal_id,
    source_version: 1,
    state: 'ACTIVE',
  });
  expect((await partner.post(`/quarantine/${a}/release`, undefined, { id })).text).toBe(released.text);
  const twice = await partner.post(`/quarantine/${a}/release`);
  expect([twice.status, twice.body.type.split('#')[1]]).toEqual([409, 'state-conflict']);
  expect((await partner.post(`/quarantine/${a}/discard`)).status).toBe(409);

  expect((await partner.post(`/quarantine/${b}/discard`)).body.status).toBe('DISCARDED');
  expect((await partner.post(`/quarantine/${b}/release`)).status).toBe(409);
  expect((await partner.get('/master/skus/B')).status).toBe(404);
  const entry = (await partner.get('/master/skus/A/history')).body.data[0];
  expect(entry.correlation_id).toBe(id);
});

test('[ING29] an accepted item: closes its open records up to its version; higher ones stay open', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [unit('EA')]);
  const { body } = await partner.send('/master/skus', [
    sku('A', 'BOX', 1),
    sku('A', 'BOX', 2),
    sku('A', 'BOX', 9),
  ]);
  const ids = body.results.map((r: { quarantine_id: string }) => r.quarantine_id);
  await partner.send('/master/skus', [sku('A', 'EA', 5)]);
  const status = async (id: string) => (await partner.get(`/quarantine/${id}`)).body.status;
  expect(await Promise.all(ids.map(status))).toEqual(['SUPERSEDED', 'SUPERSEDED', 'OPEN']);
  expect((await partner.post(`/quarantine/${ids[0]}/release`)).status).toBe(409);
  expect((await partner.post(`/quarantine/${ids[2]}/release`)).body.status).toBe('RELEASED');
  // An old version with a missing reference is a replay, not a new record.
  const old = await partner.send('/master/skus', [sku('A', 'BOX', 3)]);
  expect(old.body.results[0].status).toBe('REPLAY');
});

test('[ING30] a re-drive: evaluates again what may pass now, until nothing more passes', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/skus', [sku('A', 'BOX', 1), sku('B', 'BAG', 1)]);
  await partner.send('/master/lots', [{ source_id: 'L', sku_source_id: 'A' }]);
  await partner.send('/master/serials', [{ source_id: 'S', sku_source_id: 'A', lot_source_id: 'L' }]);
  const idle = await partner.post('/quarantine/redrive');
  expect(idle.body).toMatchObject({ evaluated: 0, accepted: 0 });
  await partner.send('/master/uoms', [unit('BOX')]);
  const id = randomUUID();
  const only = await partner.post('/quarantine/redrive?collection=master/lots');
  expect(only.body.evaluated).toBe(0);
  const unclear = await partner.post('/quarantine/redrive?collection=master/skus&collection=master/lots');
  expect([unclear.status, unclear.body.type]).toEqual([400, expect.stringMatching(/#malformed-request$/)]);
  const driven = await partner.post('/quarantine/redrive', undefined, { id });
  expect(driven.body).toMatchObject({ evaluated: 3, accepted: 3, superseded: 0, quarantined: 0 });
  expect(
    driven.body.results.map((r: { source_id: string; status: string }) => `${r.source_id} ${r.status}`),
  ).toEqual(['A ACCEPTED', 'L ACCEPTED', 'S ACCEPTED']);
  const replay = await partner.post('/quarantine/redrive', undefined, { id });
  expect(replay.text).toBe(driven.text);
  expect((await partner.get('/quarantine?status=ACCEPTED')).body.data).toHaveLength(3);
  expect((await partner.get('/quarantine?status=OPEN')).body.data).toHaveLength(1);
  expect((await partner.post(`/quarantine/${driven.body.results[0].quarantine_id}/release`)).status).toBe(
    409,
  );
});

test('[ING31] automatic re-drive: accepts the item when its reference arrives', async () => {
  const { client, errors } = await startIngest({ settings: { autoRedrive: true } });
  const partner = await client();
  await partner.send('/master/skus', [sku('A', 'BOX', 1)]);
  await partner.send('/master/lots', [{ source_id: 'L', sku_source_id: 'A' }]);
  await partner.send('/master/uoms', [unit('BOX')]);
  await expect.poll(async () => (await partner.get('/master/lots/L')).status).toBe(200);
  expect((await partner.get('/quarantine?status=ACCEPTED')).body.data).toHaveLength(2);
  expect((await partner.get('/master/skus/A/history')).body.data[0].correlation_id).toBe('auto-redrive');
  expect(errors).toEqual([]);
});
