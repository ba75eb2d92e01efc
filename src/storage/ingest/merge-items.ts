import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { Stage } from './stage-items.ts';

export interface MergeInto {
  readonly partnerNo: number;
  readonly collection: number;
  readonly correlationId: string;
  readonly warehouseId: string | null;
  /** Only items of these warehouses may be changed; null: any item. New items are always written. */
  readonly warehouses: readonly string[] | null;
  readonly now: Date;
}

export interface Merged {
  /** How many rows are new; they carry the staged internal id. */
  readonly inserted: number;
  /** Rows that were there and were changed, with the internal id they have had from the start. */
  readonly updated: readonly { readonly source_id: string; readonly internal_id: string }[];
}

/**
 * Writes staged items whose version is not stale and whose row the credential may change; the others are left alone and
 * not reported.
 *
 * - One statement in key order. Rows are locked in that order, also those that turn out to be replays, so
 *   batches of concurrent writers queue up behind each other and never deadlock.
 * - The guard sits in the statement and judges the row as it is when its lock is held; a row read before
 *   could be out of date.
 * - A key must occur once: PostgreSQL refuses to touch a row twice in one statement.
 */
export async function mergeItems(tx: Tx, stage: Stage, into: MergeInto): Promise<Merged> {
  const { rows } = await sql<{ inserted: number | null; source_id: string; internal_id: string }>`
    with merged as (
      insert into ingest_items as t (partner_no, collection, source_id, internal_id, source_version, active, change,
                                     item, correlation_id, warehouse_id, changed_at, graph_node, graph_edges)
      select ${into.partnerNo}::int, ${into.collection}::smallint, source_id, internal_id, source_version, true, 1,
             item, ${into.correlationId}, ${into.warehouseId}, ${into.now}::timestamptz, graph_node,
             graph_edges::text[]
      from ${stage} s
      order by source_id collate "C"
      on conflict (partner_no, collection, source_id) do update set
        source_version = coalesce(excluded.source_version, t.source_version), active = true, change = t.change + 1,
        item = excluded.item, correlation_id = excluded.correlation_id, warehouse_id = excluded.warehouse_id,
        changed_at = excluded.changed_at, graph_node = excluded.graph_node, graph_edges = excluded.graph_edges
      where (excluded.source_version is null or t.source_version is null
             or excluded.source_version > t.source_version
             or (excluded.source_version = t.source_version and not t.active))
        and (${into.warehouses}::text[] is null or t.warehouse_id = any(${into.warehouses}::text[]))
      returning source_id, internal_id, change)
    select source_id, internal_id, null::int as inserted from merged where change > 1
    union all
    select null, null, count(*)::int from merged where change = 1`.execute(tx);
  const updated = rows.filter((row) => row.inserted === null);
  const inserted = rows.find((row) => row.inserted !== null)?.inserted ?? 0;
  return { inserted, updated };
}
