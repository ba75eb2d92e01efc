import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { skus, startIngest } from '../support/ingest.ts';

test('[ING1] [ING6] the story of two keys: 95 accepted and 5 quarantined, replayed, then 95 replays and 5 accepted', async () => {
  const { client } = await startIngest();
  const partner = await client();
  await partner.send('/master/uoms', [{ source_id: 'EA', name: 'Each' }]);
  const items = skus(100).map((sku, i) => (i % 20 === 7 ? { ...sku, base_uom: 'BOX' } : sku));

  const id = randomUUID();
  const first = await partner.send('/master/skus', items, { id });
  expect(first.status).toBe(200);
  expect(first.body.summary).toEqual({ accepted: 95, replay: 0, quarantined: 5, rejected: 0 });
  expect(first.body.results.map((r: { source_id: string }) => r.source_id)).toEqual(
    items.map((i) => i.source_id),
  );

  await partner.send('/master/uoms', [{ source_id: 'BOX', name: 'Box' }]);
  const again = await partner.send('/master/skus', items, { id });
  expect(again.text).toBe(first.text);
  expect([again.status, again.headers.get('content-type')]).toEqual([200, first.headers.get('content-type')]);

  const fresh = await partner.send('/master/skus', items);
  expect(fresh.body.summary).toEqual({ accepted: 5, replay: 95, quarantined: 0, rejected: 0 });
  const internal = new Map(
    first.body.results.map((r: Record<string, string>) => [r.source_id, r.internal_id]),
  );
  for (const result of fresh.body.results) {
    expect(result.internal_id).toMatch(/^sku-[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    if (result.status === 'REPLAY') expect(result.internal_id).toBe(internal.get(result.source_id));
  }
});
