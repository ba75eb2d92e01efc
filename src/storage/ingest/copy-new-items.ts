import { sql } from 'kysely';
import type { Database, Tx } from '../database.ts';
import { copyItems, escapeText, ITEM_COLUMNS, type StagedItem } from './copy-rows.ts';
import type { CollectionOf } from './find-items.ts';
import type { MergeInto } from './merge-items.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * The short way of a first load: items of which none is stored go straight into their table, without a staging table
 * and without a conflict to look for in every row, in about two thirds of a merge's time. False: one of them is stored after all, and
 * nothing was written.
 *
 * Whether one is stored is asked before, but another writer may store it meanwhile; the key's index then refuses the
 * COPY, which is undone to the savepoint. Items come in the order of the key, as in a merge, so writers that meet
 * wait for each other in that order and never in a circle.
 */
export async function copyNewItems(
  database: Database,
  tx: Tx,
  into: MergeInto,
  items: readonly StagedItem[],
): Promise<boolean> {
  if (await isAnyStored(tx, into, items)) return false;
  const { partnerNo, collection, correlationId, warehouseId, now } = into;
  const same = [partnerNo, collection, 't', 1, correlationId, warehouseId, now.toISOString()];
  const head = same.map((value) => `${value === null ? '\\N' : escapeText(`${value}`)}\t`).join('');
  const columns = `partner_no, collection, active, change, correlation_id, warehouse_id, changed_at, ${ITEM_COLUMNS}`;
  await sql`savepoint before_copy`.execute(tx);
  try {
    await copyItems(database, tx, `ingest_items (${columns})`, head, items);
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    await sql`rollback to savepoint before_copy`.execute(tx);
    return false;
  }
  await sql`release savepoint before_copy`.execute(tx);
  return true;
}

/** Loads often come in the order of the key: then one look at the range between first and last is enough. */
async function isAnyStored(
  tx: Tx,
  { partnerNo, collection }: CollectionOf,
  items: readonly StagedItem[],
): Promise<boolean> {
  const ids = items.map((item) => item.sourceId);
  const from = sql`from ingest_items where partner_no = ${partnerNo} and collection = ${collection}`;
  const between = await sql`
    select ${from} and source_id between ${ids[0]} and ${ids.at(-1)} order by source_id limit 1`.execute(tx);
  if (between.rows.length === 0) return false;
  const { rows } = await sql`select ${from} and source_id = any(${ids}::text[]) limit 1`.execute(tx);
  return rows.length > 0;
}
