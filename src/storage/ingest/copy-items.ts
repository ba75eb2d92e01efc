import { sql } from 'kysely';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from '../database.ts';
import type { CollectionOf } from './items.ts';
import type { MergeInto } from './write-items.ts';

/** One item on its way into `ingest_items`; `item` is JSON text. */
export interface StagedItem {
  readonly sourceId: string;
  readonly version: number | null;
  readonly internalId: string;
  readonly item: string;
  readonly graph: { readonly node: string; readonly edges: readonly string[] } | null;
}

/** What `encodeItem` writes, in its order. */
export const ITEM_COLUMNS = 'source_id, source_version, internal_id, item, graph_node, graph_edges';

/** COPY's text format: a backslash starts an escape, tabs and newlines separate (PostgreSQL, COPY, "Text Format"). */
export function escapeText(text: string): string {
  if (!/[\\\t\n\r]/.test(text)) return text;
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
}

/** An array as PostgreSQL writes it ("Array Input and Output Syntax"), every element in quotes. */
export function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function encodeItem({ sourceId, version, internalId, item, graph }: StagedItem): string {
  // JSON text holds no raw tab or newline, only backslashes.
  const json = item.includes('\\') ? item.replaceAll('\\', '\\\\') : item;
  const edges =
    graph === null ? '\\N\t\\N' : `${escapeText(graph.node)}\t${escapeText(arrayLiteral(graph.edges))}`;
  return `${escapeText(sourceId)}\t${version ?? '\\N'}\t${internalId}\t${json}\t${edges}\n`;
}

/** About as much as the socket takes at once: the server reads one portion while the next is encoded. */
const PORTION_CHARS = 64 * 1024;

function* encodePortions(items: Iterable<StagedItem>, head: string): Generator<Buffer> {
  let text = '';
  for (const item of items) {
    text += head + encodeItem(item);
    if (text.length < PORTION_CHARS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/**
 * Sends items by COPY, each behind the same first columns (`head`, encoded, with its last tab). One portion is under
 * way at a time: when the server refuses, the stream has let go of the connection and must not be written to again.
 */
export async function copyItems(
  { clientOf }: Pick<Database, 'clientOf'>,
  tx: Tx,
  into: string,
  head: string,
  items: Iterable<StagedItem>,
): Promise<void> {
  const stream = (await clientOf(tx)).query(copyFrom(`copy ${into} from stdin`));
  let refused = false;
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve).on('error', (error) => {
      refused = true;
      reject(error);
    });
  });
  ended.catch(() => {}); // Awaited below; it may fail before that.
  for (const portion of encodePortions(items, head)) {
    const sent = new Promise<void>((resolve) => stream.write(portion, () => resolve()));
    await Promise.race([sent, ended]);
    if (refused) break;
  }
  if (!refused) stream.end();
  await ended;
}

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
