import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../database.ts';
import { arrayLiteral, copyItems, ITEM_COLUMNS, type StagedItem } from './copy-items.ts';

/** Rows to merge, as an SQL source. */
export type Stage = RawBuilder<unknown>;

/** Stages a batch from one request, with one parameter per column. */
export function stageAsArrays(items: readonly StagedItem[]): Stage {
  return sql`(select * from unnest(
    ${items.map((i) => i.sourceId)}::text[], ${items.map((i) => i.version)}::bigint[],
    ${items.map((i) => i.internalId)}::uuid[], ${items.map((i) => i.item)}::jsonb[],
    ${items.map((i) => i.graph?.node ?? null)}::text[],
    ${items.map((i) => (i.graph === null ? null : arrayLiteral(i.graph.edges)))}::text[])
    as s(source_id, source_version, internal_id, item, graph_node, graph_edges))`;
}

/** Fills this connection's staging table, which is emptied at commit and dropped with the connection. */
export async function stageByCopy(database: Database, tx: Tx, items: readonly StagedItem[]): Promise<Stage> {
  await sql`set local client_min_messages = warning`.execute(tx);
  await sql`
    create temporary table if not exists ingest_stage (
      source_id text collate "C" not null, source_version bigint, internal_id uuid not null,
      item jsonb not null, graph_node text, graph_edges text[]) on commit delete rows`.execute(tx);
  await copyItems(database, tx, `copy ingest_stage (${ITEM_COLUMNS}) from stdin`, '', items);
  return sql`ingest_stage`;
}

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
  /** Number of new rows; they have the staged internal id. */
  readonly inserted: number;
  /** Existing rows that were changed, with their original internal id. */
  readonly updated: readonly { readonly source_id: string; readonly internal_id: string }[];
}

/**
 * Writes staged items whose version is not stale and whose row the credential may change. Other items are skipped and
 * not reported.
 *
 * - One statement in key order. It locks rows in that order, even those that turn out to be replays, so concurrent
 *   batches queue behind each other and never deadlock.
 * - The version guard is part of the statement and checks the row under its lock; a row read earlier could be out of
 *   date.
 * - Each key must occur once: PostgreSQL does not allow one statement to change a row twice.
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

/** Another change of an item whose row this transaction has locked. */
export interface FurtherChange {
  readonly sourceId: string;
  readonly version: number | null;
  readonly change: number;
  readonly item: string;
  readonly graph: { readonly node: string; readonly edges: readonly string[] } | null;
  /** The last change of an item becomes its state; earlier ones go directly to the history. */
  readonly last: boolean;
}

/**
 * Writes several changes of one item in one batch without a statement for each: a batch may contain one item ten
 * thousand times. The trigger moves the state before the last change to the history.
 */
export async function appendChanges(
  tx: Tx,
  into: MergeInto,
  changes: readonly FurtherChange[],
): Promise<void> {
  const { partnerNo, collection, correlationId, warehouseId, now } = into;
  const between = changes.filter((change) => !change.last);
  await sql`
    insert into ingest_history (partner_no, collection, source_id, change, source_version, active, item,
                                correlation_id, warehouse_id, changed_at)
    select ${partnerNo}, ${collection}, s.source_id, s.change, s.source_version, true, s.item,
           ${correlationId}, ${warehouseId}, ${now}::timestamptz
    from unnest(${between.map((c) => c.sourceId)}::text[], ${between.map((c) => c.change)}::int[],
                ${between.map((c) => c.version)}::bigint[], ${between.map((c) => c.item)}::jsonb[])
         s(source_id, change, source_version, item)`.execute(tx);
  const last = changes.filter((change) => change.last);
  await sql`
    update ingest_items t set source_version = s.source_version, active = true, change = s.change, item = s.item,
           correlation_id = ${correlationId}, warehouse_id = ${warehouseId}, changed_at = ${now}, graph_node = s.graph_node,
           graph_edges = s.graph_edges::text[]
    from unnest(${last.map((c) => c.sourceId)}::text[], ${last.map((c) => c.change)}::int[],
                ${last.map((c) => c.version)}::bigint[], ${last.map((c) => c.item)}::jsonb[],
                ${last.map((c) => c.graph?.node ?? null)}::text[],
                ${last.map((c) => (c.graph === null ? null : arrayLiteral(c.graph.edges)))}::text[])
         s(source_id, change, source_version, item, graph_node, graph_edges)
    where t.partner_no = ${partnerNo} and t.collection = ${collection} and t.source_id = s.source_id`.execute(
    tx,
  );
}
