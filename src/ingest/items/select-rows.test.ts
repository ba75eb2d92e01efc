import { expect, test } from 'vitest';
import { skus, startIngest } from '../../../test/support/ingest.ts';

const EACH = { source_id: 'EA', name: 'Each' };

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('[ING37] a collection read by another surface: a stream of its items, filtered and sorted by source_id', async () => {
  const { client, node } = await startIngest({ workers: 0 });
  const partner = await client({ partner: 'P' });
  await partner.send('/master/uoms', [EACH, { source_id: 'BOX', name: 'Box' }]);
  await partner.send('/master/skus', skus(2500, ['EA', 'BOX']));
  const { id: accountId } = await node.database.db
    .selectFrom('accounts')
    .select('id')
    .executeTakeFirstOrThrow();
  const { work } = node;
  const from = { accountId, partnerId: 'P', collection: 'master/skus' };
  const all = await collect(work.selectRows(from));
  expect(all).toHaveLength(2500);
  expect(all[0]).toMatchObject({
    source_id: 'SKU-0000001',
    source_version: 1,
    state: 'ACTIVE',
    item: { name: 'Article 1' },
  });
  expect(all.map((row) => row.source_id)).toEqual(all.map((row) => row.source_id).sort());
  const boxes = await collect(work.selectRows({ ...from, filter: { where: { base_uom: 'BOX' } } }));
  expect(boxes).toHaveLength(1250);
  expect(await collect(work.selectRows({ ...from, partnerId: 'nobody' }))).toEqual([]);
});
