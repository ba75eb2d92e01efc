import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../database.ts';
import { arrayLiteral, copyItems, ITEM_COLUMNS, type StagedItem } from './copy-rows.ts';

/** Rows to merge, as something that SQL can select from. */
export type Stage = RawBuilder<unknown>;

/** For batches that came in one request: one parameter per column. */
export function stageAsArrays(items: readonly StagedItem[]): Stage {
  return sql`(select * from unnest(
    ${items.map((i) => i.sourceId)}::text[], ${items.map((i) => i.version)}::bigint[],
    ${items.map((i) => i.internalId)}::uuid[], ${items.map((i) => i.item)}::jsonb[],
    ${items.map((i) => i.graph?.node ?? null)}::text[],
    ${items.map((i) => (i.graph === null ? null : arrayLiteral(i.graph.edges)))}::text[])
    as s(source_id, source_version, internal_id, item, graph_node, graph_edges))`;
}

/** Fills this connection's staging table. It is emptied at commit and lives as long as the connection. */
export async function stageByCopy(database: Database, tx: Tx, items: readonly StagedItem[]): Promise<Stage> {
  await sql`set local client_min_messages = warning`.execute(tx);
  await sql`
    create temporary table if not exists ingest_stage (
      source_id text collate "C" not null, source_version bigint, internal_id uuid not null,
      item jsonb not null, graph_node text, graph_edges text[]) on commit delete rows`.execute(tx);
  await copyItems(database, tx, `ingest_stage (${ITEM_COLUMNS})`, '', items);
  return sql`ingest_stage`;
}
