import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import { arrayLiteral } from './copy-rows.ts';
import type { MergeInto } from './merge-items.ts';

/** A further change of an item whose row this transaction has locked. */
export interface FurtherChange {
  readonly sourceId: string;
  readonly version: number | null;
  readonly change: number;
  readonly item: string;
  readonly graph: { readonly node: string; readonly edges: readonly string[] } | null;
  /** The last change of this item becomes its state; those before it go straight to the history. */
  readonly last: boolean;
}

/**
 * Several changes of one item in one batch, without a statement for each: a batch may name one item ten
 * thousand times. The state before the last change is moved to the history by the trigger, as ever.
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
