import type { Tx } from '#storage/database.ts';
import { type CollectionOf, findStandings, type ItemStanding } from '#storage/ingest/items.ts';
import { isStale } from './judge-items.ts';
import type { PreparedItem, RejectedItem } from './prepare-items.ts';

/** Warehouses that a credential is limited to; null: all warehouses of its partner. */
export type WarehouseLimit = readonly string[] | null;

export const FOREIGN_ITEM =
  'source_id: the item belongs to another warehouse, or to the whole partner; this credential may not change it';
export const FOREIGN_QUARANTINE =
  'source_id: a quarantined item of another warehouse has this source_id and source_version; this credential may not replace it';

/** Whether a credential with this limit may not change a stored item. An item belongs to the warehouse of its last write. */
export function isForeign(
  limit: WarehouseLimit,
  standing: Pick<ItemStanding, 'warehouse_id'> | undefined,
): boolean {
  if (limit === null || standing === undefined) return false;
  return standing.warehouse_id === null || !limit.includes(standing.warehouse_id);
}

/** Returns the intersection of both limits. */
export function narrower(one: WarehouseLimit, other: WarehouseLimit): WarehouseLimit {
  if (one === null || other === null) return one ?? other;
  return one.filter((name) => other.includes(name));
}

/**
 * Removes items that the credential may not change, so that they satisfy no reference of a later item. Replays stay,
 * because they change nothing. The merge repeats the check on the locked row, because another writer may be faster.
 */
export async function splitForeign(
  tx: Tx,
  scope: CollectionOf,
  limit: WarehouseLimit,
  items: readonly PreparedItem[],
): Promise<{ readonly own: readonly PreparedItem[]; readonly foreign: readonly PreparedItem[] }> {
  if (limit === null || items.length === 0) return { own: items, foreign: [] };
  const ids = [...new Set(items.map((item) => item.sourceId))];
  const standings = new Map((await findStandings(tx, scope, ids)).map((row) => [row.source_id, row]));
  const own: PreparedItem[] = [];
  const foreign: PreparedItem[] = [];
  for (const item of items) {
    const standing = standings.get(item.sourceId);
    const refused = isForeign(limit, standing) && !isStale(item.version, standing);
    (refused ? foreign : own).push(item);
  }
  return { own, foreign };
}

export function rejectForeign({ ordinal, sourceId }: PreparedItem, reason = FOREIGN_ITEM): RejectedItem {
  return { ordinal, sourceId, reason };
}
