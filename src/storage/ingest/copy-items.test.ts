import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../database.ts';
import { copyNewItems, type StagedItem } from './copy-items.ts';

const INTO = {
  partnerNo: 1,
  collection: 3,
  correlationId: 'tab\there',
  warehouseId: null,
  warehouses: null,
  now: new Date('2026-05-01T10:00:00.000Z'),
};

const item = (n: number): StagedItem => ({
  sourceId: `K${String(n).padStart(6, '0')}`,
  version: n % 2 === 0 ? n : null,
  internalId: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  item: JSON.stringify({ name: `a "quoted" \\ name ${n}`, filler: 'x'.repeat(100) }),
  graph: n === 7 ? { node: 'N\t7', edges: ['plain', 'a "b" \\ c', 'tab\tnewline\n', ''] } : null,
});
const items = (count: number) => Array.from({ length: count }, (_, n) => item(n));

async function openScene() {
  const database = openDatabase(await createDatabase(), 4, () => {});
  onTestFinished(() => database.close());
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ingest_items`.execute(
      database.db,
    );
    return rows[0]?.n;
  };
  return { database, count };
}

test('new items: stored unchanged, whatever characters they contain', async () => {
  const { database, count } = await openScene();
  const copied = await database.db
    .transaction()
    .execute((tx) => copyNewItems(database, tx, INTO, items(2_000)));
  expect([copied, await count()]).toEqual([true, 2_000]);
  const row = await database.db
    .selectFrom('ingest_items')
    .selectAll()
    .where('source_id', '=', 'K000007')
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    item: JSON.parse(item(7).item),
    source_version: null,
    active: true,
    change: 1,
    correlation_id: INTO.correlationId,
    warehouse_id: null,
    changed_at: INTO.now,
    graph_node: 'N\t7',
    graph_edges: ['plain', 'a "b" \\ c', 'tab\tnewline\n', ''],
  });
});

test('[ING19] an item is already stored, or stored meanwhile: the whole batch is merged instead', async () => {
  const { database, count } = await openScene();
  const all = items(20_000);
  const other = await database.pool.connect();
  onTestFinished(() => other.release());
  await other.query('begin');
  await other.query(
    `insert into ingest_items (partner_no, collection, source_id, internal_id, active, change, item, correlation_id, changed_at)
     values (1, 3, 'K000150', gen_random_uuid(), true, 1, '{}', 'other', now())`,
  );
  const racing = database.db.transaction().execute(async (tx) => {
    const copied = await copyNewItems(database, tx, INTO, all);
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from ingest_items`.execute(tx);
    return { copied, seen: rows[0]?.n };
  });
  for (let round = 0; round < 1_000; round += 1) {
    const { rows } = await database.pool.query('select from pg_locks where not granted');
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await other.query('commit');
  // The connection still works: the same transaction continues to read.
  expect(await racing).toEqual({ copied: false, seen: 1 });
  const late = await database.db.transaction().execute((tx) => copyNewItems(database, tx, INTO, all));
  expect([late, await count()]).toEqual([false, 1]);
});
