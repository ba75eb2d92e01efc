import { from as copyFrom } from 'pg-copy-streams';
import type { Database, Tx } from '../database.ts';

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
