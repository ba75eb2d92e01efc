import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import type { Tx } from '#storage/database.ts';
import { findItem } from '#storage/ingest/items.ts';
import { findOrCreatePartner } from '#storage/ingest/partners.ts';
import { openTestDatabase, untilSomebodyWaits } from '../../../test/support/database.ts';
import { getCollection } from '../collections/registry.ts';
import type { IngestKindParts } from '../parts.ts';
import { applyBatch } from '../pipeline/apply-batch.ts';
import { prepareItems } from '../pipeline/prepare-items.ts';
import { idSequence } from '../public-id.ts';
import { redriveWaves } from './redrive.ts';

const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const parts = { clock: systemClock, ids: systemIds } as IngestKindParts;

async function scene() {
  const { db } = await openTestDatabase();
  const now = systemClock.now();
  await sql`insert into accounts (id, name, plan, created_at) values (${ACCOUNT}, 'a', 'unlimited', ${now})`.execute(
    db,
  );
  const partnerNo = await findOrCreatePartner(db, ACCOUNT, 'acme', now);
  const send = async (tx: Tx, path: string, value: object) => {
    const definition = getCollection(path);
    const nextId = idSequence(systemIds);
    const context = {
      partnerNo,
      definition,
      correlationId: 'c',
      warehouseId: null,
      warehouses: null,
      now,
      nextId,
    };
    const batch = prepareItems(definition, [{ ok: true, value }], nextId);
    return (await applyBatch(tx, context, batch)).summary;
  };
  const read = (sourceId: string) =>
    findItem(db, { partnerNo, collection: getCollection('master/skus').no }, sourceId);
  return { db, partnerNo, send, read };
}

test('[ING29] an item sent again while a re-drive waits: is not overwritten', async () => {
  const { db, partnerNo, send, read } = await scene();
  const sku = (name: string) => ({ source_id: 'S', name, base_uom: 'EA' });
  const within = (path: string, item: object) => db.transaction().execute((tx) => send(tx, path, item));
  expect(await within('master/skus', sku('old'))).toMatchObject({ quarantined: 1 });
  expect(await within('master/skus', { ...sku('other'), source_id: 'T' })).toMatchObject({ quarantined: 1 });
  await within('master/uoms', { source_id: 'EA', name: 'Each' });

  const sender = await db.startTransaction().execute();
  expect(await send(sender, 'master/skus', sku('new'))).toMatchObject({ accepted: 1 });
  const redriving = db
    .transaction()
    .execute((tx) => redriveWaves(parts, tx, { partnerNo, warehouses: null }, 'redrive'));
  await untilSomebodyWaits(db);
  await sender.commit().execute();

  expect(await redriving).toMatchObject([{ source_id: 'T', status: 'ACCEPTED' }]);
  expect(await read('S')).toMatchObject({ item: { name: 'new' }, change: 1 });
  expect(await read('T')).toMatchObject({ item: { name: 'other' }, correlation_id: 'redrive' });
});
