import { type RawBuilder, sql } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from '../database.ts';

/** One item on its way into `ingest_items`; `item` is JSON text. */
export interface StagedItem {
  readonly ordinal: number;
  readonly sourceId: string;
  readonly version: number | null;
  readonly internalId: string;
  readonly item: string;
  readonly graph: { readonly node: string; readonly edges: readonly string[] } | null;
}

/** Rows to merge, as something that SQL can select from. */
export type Stage = RawBuilder<unknown>;

/** For batches that came in one request: one parameter per column. */
export function stageAsArrays(items: readonly StagedItem[]): Stage {
  return sql`(select * from unnest(
    ${items.map((i) => i.ordinal)}::int[], ${items.map((i) => i.sourceId)}::text[],
    ${items.map((i) => i.version)}::bigint[], ${items.map((i) => i.internalId)}::uuid[],
    ${items.map((i) => i.item)}::jsonb[], ${items.map((i) => i.graph?.node ?? null)}::text[],
    ${items.map((i) => (i.graph === null ? null : JSON.stringify(i.graph.edges)))}::jsonb[])
    as s(ordinal, source_id, source_version, internal_id, item, graph_node, graph_edges))`;
}

/** COPY's text format: a backslash starts an escape, tabs and newlines separate (PostgreSQL, COPY, "Text Format"). */
function escapeText(text: string): string {
  if (!/[\\\t\n\r]/.test(text)) return text;
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** The bytes that COPY takes; made ahead, while the database works on something else. */
export function encodeForCopy(items: readonly StagedItem[]): Buffer {
  let text = '';
  for (const i of items) {
    const graph =
      i.graph === null
        ? '\\N\t\\N'
        : `${escapeText(i.graph.node)}\t${escapeText(JSON.stringify(i.graph.edges))}`;
    // JSON text holds no raw tab or newline, only backslashes.
    const item = i.item.includes('\\') ? i.item.replaceAll('\\', '\\\\') : i.item;
    text += `${i.ordinal}\t${escapeText(i.sourceId)}\t${i.version ?? '\\N'}\t${i.internalId}\t${item}\t${graph}\n`;
  }
  return Buffer.from(text);
}

/** Fills this connection's staging table. It is emptied at commit and lives as long as the connection. */
export async function stageByCopy(database: Database, tx: Tx, rows: Buffer): Promise<Stage> {
  await sql`set local client_min_messages = warning`.execute(tx);
  await sql`
    create temporary table if not exists ingest_stage (
      ordinal int not null, source_id text collate "C" not null, source_version bigint, internal_id uuid not null,
      item jsonb not null, graph_node text, graph_edges jsonb) on commit delete rows`.execute(tx);
  const client = await database.clientOf(tx);
  const stream = client.query(copyFrom('copy ingest_stage from stdin'));
  await new Promise<void>((resolve, reject) => {
    stream.on('error', reject).on('finish', resolve);
    stream.end(rows);
  });
  return sql`ingest_stage`;
}
