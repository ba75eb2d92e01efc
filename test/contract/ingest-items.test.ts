import { expect, test } from 'vitest';
import { startIngest } from '../support/ingest.ts';

const EACH = { source_id: 'EA', name: 'Each' };
const sku = (id: string, more: object = {}) => ({
  source_id: id,
  name: `Article ${id}`,
  base_uom: 'EA',
  ...more,
});
const statuses = (answer: { body: { results: { status: string }[] } }) =>
  answer.body.results.map((r) => r.status);

test('[ING12] [ING13] a higher version: updates; the same or a lower one: a replay; none: overwrites and keeps the highest version', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const send = async (version: number | undefined, name: string) => {
    const item = { ...sku('A'), name, ...(version !== undefined && { source_version: version }) };
    return (await partner.send('/master/skus', [item])).body.results[0];
  };
  const read = async () => {
    const { body } = await partner.get('/master/skus/A');
    return [body.source_version, body.item.name, body.state];
  };
  const first = await send(5, 'five');
  expect(first).toMatchObject({ source_id: 'A', status: 'ACCEPTED' });
  for (const [version, name, status, after] of [
    [5, 'again', 'REPLAY', 'five'],
    [4, 'old', 'REPLAY', 'five'],
    [6, 'six', 'ACCEPTED', 'six'],
    [undefined, 'bare', 'ACCEPTED', 'bare'],
    [6, 'floor', 'REPLAY', 'bare'],
    [Number.MAX_SAFE_INTEGER, 'max', 'ACCEPTED', 'max'],
  ] as const) {
    expect(await send(version, name)).toEqual({ source_id: 'A', status, internal_id: first.internal_id });
    expect((await read())[1]).toBe(after);
  }
  expect(await read()).toEqual([Number.MAX_SAFE_INTEGER, 'max', 'ACTIVE']);
  expect((await partner.get('/master/skus/A/history')).body.data).toHaveLength(4);
});

test('[ING12] [ING13] [ING14] one request of 300 new, then mixed items: the results and the history of single requests', async () => {
  const { client } = await startIngest({ workers: 0 });
  const [partner, single] = [await client(), await client({ partner: 'SINGLE' })];
  for (const each of [partner, single]) await each.send('/master/uoms', [EACH]);
  const id = (i: number) => `K${(i * 7) % 300}`;
  const fresh = Array.from({ length: 300 }, (_, i) =>
    sku(id(i), i % 50 === 1 ? { base_uom: 'NONE' } : i % 50 === 2 ? { name: 1 } : { source_version: 2 }),
  );
  const again = [sku(id(5), { source_version: 3 }), sku(id(5), { source_version: 2 })];
  const mixed = fresh.map((item, i) => ({
    ...item,
    ...(i % 3 === 0 && { source_version: i % 2 === 0 ? 1 : 4 }),
  }));
  for (const batch of [[...fresh, ...again], mixed, fresh]) {
    const together = (await partner.send('/master/skus', batch)).body;
    const results: { status: string; reason?: string }[] = [];
    for (let at = 0; at < batch.length; at += 100)
      results.push(...(await single.send('/master/skus', batch.slice(at, at + 100))).body.results);
    const plain = ({ status, reason }: { status: string; reason?: string }) => [status, reason];
    expect(together.results.map(plain)).toEqual(results.map(plain));
  }
  for (const i of [0, 3, 5, 6, 9]) {
    const path = `/master/skus/${id(i)}/history`;
    const read = async (from: typeof partner) =>
      (await from.get(path)).body.data.map((entry: { source_version: number }) => entry.source_version);
    expect(await read(partner)).toEqual(await read(single));
  }
});

test('[ING14] items of one batch with the same source_id: applied in order', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  const items = [
    sku('A', { source_version: 2, name: 'two' }),
    sku('A', { source_version: 1, name: 'one' }),
    sku('B', { name: 'b1' }),
    sku('A', { source_version: 3, name: 'three' }),
    sku('B', { name: 'b2' }),
    sku('A', { source_version: 3, name: 'again' }),
    sku('A', { name: 'bare' }),
    sku('A', { base_uom: 'NONE', source_version: 9 }),
  ];
  const answer = await partner.send('/master/skus', items);
  expect(statuses(answer)).toEqual([
    'ACCEPTED',
    'REPLAY',
    'ACCEPTED',
    'ACCEPTED',
    'ACCEPTED',
    'REPLAY',
    'ACCEPTED',
    'QUARANTINED',
  ]);
  expect(answer.body.summary).toEqual({ accepted: 5, replay: 2, quarantined: 1, rejected: 0 });
  expect((await partner.get('/master/skus/A')).body).toMatchObject({
    source_version: 3,
    item: { name: 'bare' },
  });
  const { body } = await partner.get('/master/skus/A/history');
  const summary = body.data.map(
    (e: {
      change: string;
      source_version: number;
      after: { name: string };
      before: { name: string } | null;
    }) => [e.change, e.source_version, e.after.name, e.before?.name],
  );
  expect(summary).toEqual([
    ['UPDATED', 3, 'bare', 'three'],
    ['UPDATED', 3, 'three', 'two'],
    ['CREATED', 2, 'two', undefined],
  ]);
  const many = Array.from({ length: 3000 }, (_, i) => sku('M', { source_version: i + 1 }));
  const started = await partner.send('/master/skus', many);
  expect(started.body.summary.accepted).toBe(3000);
  expect((await partner.get('/master/skus/M')).body.source_version).toBe(3000);
});

test('[ING15] a missing reference: quarantined; only an earlier item of the batch that is active satisfies it', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const zone = { source_id: 'Z', kind: 'ZONE', name: 'Zone', parent_source_id: 'W' };
  const bin = { source_id: 'B', kind: 'BIN', name: 'Bin', parent_source_id: 'Z' };
  const warehouse = { source_id: 'W', kind: 'WAREHOUSE', name: 'House' };
  const late = await partner.send('/master/locations', [bin, zone, warehouse]);
  expect(statuses(late)).toEqual(['QUARANTINED', 'QUARANTINED', 'ACCEPTED']);
  expect(late.body.results[0].reason).toContain('parent_source_id');
  expect(statuses(await partner.send('/master/locations', [warehouse, zone, bin]))).toEqual([
    'ACCEPTED',
    'ACCEPTED',
    'ACCEPTED',
  ]);

  await partner.send('/master/uoms', [EACH]);
  await partner.send('/master/skus', [sku('S')]);
  await partner.send('/master/addresses', [{ source_id: 'C', name: 'Customer', country: 'de' }]);
  await partner.send('/master/lots', [{ source_id: 'L', sku_source_id: 'S' }]);
  const line = { sku_source_id: 'S', quantity: 2, uom: 'EA' };
  const move = { sku_source_id: 'S', from_location: 'Z', to_location: 'B', quantity: 1 };
  const cases: [string, object, string | undefined][] = [
    ['/master/serials', { source_id: '1', sku_source_id: 'S', lot_source_id: 'L' }, undefined],
    ['/master/serials', { source_id: '2', sku_source_id: 'X' }, 'sku_source_id'],
    [
      '/documents/purchase-orders',
      { source_id: 'PO', lines: [line], parties: [{ role: 'SUPPLIER', address_source_id: 'C' }] },
      undefined,
    ],
    [
      '/documents/purchase-orders',
      { source_id: 'PO2', lines: [line, { ...line, sku_source_id: 'X' }] },
      'lines.1.sku_source_id',
    ],
    ['/documents/purchase-orders', { source_id: 'PO3', lines: [{ ...line, uom: 'X' }] }, 'lines.0.uom'],
    [
      '/documents/sales-orders',
      { source_id: 'SO', parties: [{ role: 'CUSTOMER', address_source_id: 'X' }] },
      'parties.0.address_source_id',
    ],
    ['/documents/receivers', { source_id: 'R', po_source_id: 'PO' }, undefined],
    ['/documents/receivers', { source_id: 'R2', po_source_id: 'X' }, 'po_source_id'],
    ['/documents/shippers', { source_id: 'SH', so_source_id: 'X' }, 'so_source_id'],
    ['/documents/work-orders', { source_id: 'WO', sku_source_id: 'S', quantity: 3 }, undefined],
    ['/documents/work-orders', { source_id: 'WO2', bom_source_id: 'X' }, 'bom_source_id'],
    ['/documents/transfer-orders', { source_id: 'TO', from_location: 'W', to_location: 'X' }, 'to_location'],
    ['/inventory/snapshot', { source_id: 'I', sku_source_id: 'S', location: 'B', quantity: 0 }, undefined],
    ['/inventory/movements', { source_id: 'M', ...move, lot: 'L' }, undefined],
    ['/inventory/movements', { source_id: 'M2', ...move, lot_source_id: 'X' }, 'lot_source_id'],
  ];
  for (const [path, item, field] of cases) {
    const { body } = await partner.send(path, [item]);
    expect(body.results[0].status, JSON.stringify(item)).toBe(
      field === undefined ? 'ACCEPTED' : 'QUARANTINED',
    );
    if (field !== undefined) expect(body.results[0].reason).toMatch(new RegExp(`^${field}: `));
  }
  expect((await partner.get('/inventory/movements/M')).body.item).toMatchObject({ lot_source_id: 'L' });
  expect((await partner.get('/master/addresses/C')).body.item.country).toBe('DE');

  await partner.send('/master/uoms?mode=full-refresh&confirm=empty', []);
  expect(statuses(await partner.send('/master/skus', [sku('S2')]))).toEqual(['QUARANTINED']);
});

test('[ING16] a number: stored exactly, or its item is rejected', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  const kept = [
    '9007199254740993000',
    '-123456789012345680000',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '1e400',
    '12345678901234567890',
    '[1, -9007199254740993]',
    '{"a": {"b": 12345678901234567890123}}',
    '"12345678901234567890"',
  ].map((value, n) => `{"source_id": "n${n}", "name": "N", "attributes": {"value": ${value}}}`);
  const expected = ['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'ACCEPTED'].concat(
    ['REJECTED', 'REJECTED', 'REJECTED', 'REJECTED'],
    ['ACCEPTED'],
  );
  const answer = await partner.post('/master/uoms', `{"items":[${kept.join(',')}]}`);
  expect(statuses(answer)).toEqual(expected);
  expect(answer.body.results[5].reason).toMatch(/^attributes: .*exactly/);
  const item = async (n: number) => (await partner.get(`/master/uoms/n${n}`)).body.item.attributes.value;
  expect([await item(0), await item(2), await item(8)]).toEqual([
    9007199254740993000,
    0.30000000000000004,
    '12345678901234567890',
  ]);
  const deep = `{"source_id":"d","name":${'['.repeat(90_000)}12345678901234567890${']'.repeat(90_000)}}`;
  const mixed = await partner.post('/master/uoms', `{"items":[${deep},{"source_id":"ok","name":"N"}]}`);
  expect(statuses(mixed)).toEqual(['REJECTED', 'ACCEPTED']);
});

test('[ING16] an invalid item: rejected with the field; the other items are accepted', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  let deep: unknown = 1;
  for (let i = 0; i < 40; i += 1) deep = [deep];
  const bad: [unknown, RegExp][] = [
    [null, /object/],
    [17, /object/],
    [[], /object/],
    [{}, /source_id/],
    [sku(''), /source_id/],
    [sku('x'.repeat(201)), /source_id/],
    [sku('a', { source_version: 2 ** 53 }), /source_version/],
    [sku('a', { source_version: -1 }), /source_version/],
    [sku('a', { source_version: 1.5 }), /source_version/],
    [sku('a', { source_version: '1' }), /source_version/],
    [sku('a', { colour: 'red' }), /^colour: unknown member/],
    [sku('a', { name: 7 }), /name/],
    [{ source_id: 'a', name: 'no unit' }, /base_uom/],
    [sku('a', { name: 'nul \u0000' }), /U\+0000/],
    [sku('a\ud800'), /surrogate/],
    [sku('a', { attributes: { deep } }), /attributes: is nested/],
  ];
  const good = [sku('ok-1'), sku('ok-2', { attributes: { any: { thing: [1, '😀', null] } } })];
  const answer = await partner.send('/master/skus', [good[0], ...bad.map(([item]) => item), good[1]]);
  expect(answer.body.summary).toEqual({ accepted: 2, replay: 0, quarantined: 0, rejected: bad.length });
  for (const [i, [item, reason]] of bad.entries()) {
    expect(answer.body.results[i + 1].status).toBe('REJECTED');
    expect(answer.body.results[i + 1].reason, JSON.stringify(item)).toMatch(reason);
  }
  const raw = `{"items":[{"source_id":"p","name":"P","base_uom":"EA","attributes":{"__proto__":{"x":1}}},${JSON.stringify(sku('ok-3'))}]}`;
  expect(statuses(await partner.post('/master/skus', raw))).toEqual(['REJECTED', 'ACCEPTED']);
  const nested = `{"items":[{"source_id":"n","name":"N","base_uom":${'['.repeat(90_000)}${']'.repeat(90_000)}},${JSON.stringify(sku('ok-4'))}]}`;
  expect(statuses(await partner.post('/master/skus', nested))).toEqual(['REJECTED', 'ACCEPTED']);
  const move = { source_id: 'm', sku_source_id: 'ok-1', from_location: 'a', to_location: 'b' };
  const moves = await partner.send('/inventory/movements', [
    { ...move, quantity: -1 },
    { ...move, quantity: 0 },
  ]);
  expect(statuses(moves)).toEqual(['REJECTED', 'REJECTED']);
  expect(moves.body.results[0].reason).toMatch(/^quantity: /);
  const many = await partner.send('/master/skus', [
    sku('big', { description: 'x'.repeat(1_100_000) }),
    sku('ok-5'),
  ]);
  expect(statuses(many)).toEqual(['REJECTED', 'ACCEPTED']);
});

test('[ING17] nothing contains itself: at once it is rejected, through others it is quarantined', async () => {
  const { client } = await startIngest({ workers: 0 });
  const partner = await client();
  await partner.send('/master/uoms', [EACH]);
  await partner.send(
    '/master/skus',
    ['A', 'B', 'C'].map((id) => sku(id)),
  );
  const bom = (id: string, parent: string, ...parts: string[]) => ({
    source_id: id,
    parent_sku_source_id: parent,
    components: parts.map((part) => ({ sku_source_id: part, quantity: 1 })),
  });
  const self = await partner.send('/master/boms', [bom('self', 'A', 'B', 'A')]);
  expect(self.body.results[0]).toMatchObject({
    status: 'REJECTED',
    reason: expect.stringMatching(/^components: /),
  });
  expect(
    statuses(
      await partner.send('/master/boms', [bom('1', 'A', 'B'), bom('2', 'B', 'C'), bom('3', 'C', 'A')]),
    ),
  ).toEqual(['ACCEPTED', 'ACCEPTED', 'QUARANTINED']);
  expect(statuses(await partner.send('/master/boms', [bom('3', 'C', 'A')]))).toEqual(['QUARANTINED']);
  expect(statuses(await partner.send('/master/boms', [bom('1', 'A', 'C'), bom('2', 'B', 'A')]))).toEqual([
    'ACCEPTED',
    'ACCEPTED',
  ]);

  const zone = (id: string, parent?: string) => ({
    source_id: id,
    kind: 'ZONE',
    name: id,
    ...(parent && { parent_source_id: parent }),
  });
  expect(statuses(await partner.send('/master/locations', [zone('s', 's')]))).toEqual(['REJECTED']);
  await partner.send('/master/locations', [zone('z1'), zone('z2', 'z1'), zone('z3', 'z2')]);
  expect(statuses(await partner.send('/master/locations', [zone('z1', 'z3')]))).toEqual(['QUARANTINED']);
  const bin = { source_id: 'b', kind: 'BIN', name: 'b' };
  expect(
    statuses(await partner.send('/master/locations', [bin, { ...zone('z4'), parent_source_id: 'b' }])),
  ).toEqual(['ACCEPTED', 'QUARANTINED']);
});

test('[ING2] [ING18] one source_id in two collections, or of two partners: two items', async () => {
  const { client } = await startIngest({ workers: 0 });
  const one = await client({ partner: 'ERP-TENANT-1' });
  const two = await client({ partner: 'ERP-TENANT-2' });
  const a = await one.send('/master/uoms', [{ source_id: 'X', source_version: 9, name: 'X' }]);
  const b = await one.send('/master/addresses', [{ source_id: 'X', source_version: 1, name: 'X' }]);
  const c = await two.send('/master/uoms', [{ source_id: 'X', source_version: 1, name: 'mine' }]);
  const ids = [a, b, c].map((answer) => answer.body.results[0].internal_id);
  expect(new Set(ids).size).toBe(3);
  expect([a, b, c].flatMap(statuses)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
  expect((await two.get(`/mappings/by-internal-id/${ids[0]}`)).status).toBe(404);
});
