import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type HistoryRecord, listHistory } from '#storage/ingest/items.ts';
import type { historySchema, itemParams, pageQuery } from '../contract.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { getItem, stateOf } from './read-items.ts';

type History = z.output<typeof historySchema>;
type Body = Record<string, unknown>;

/** `GET /{collection}/{source_id}/history`: every change, newest first. */
export async function readHistory(
  parts: IngestParts,
  request: FastifyRequest,
  params: z.output<typeof itemParams>,
  { cursor, limit }: z.output<typeof pageQuery>,
): Promise<History> {
  const item = await getItem(parts, request, params);
  const scope = { partnerNo: item.partner_no, collection: item.collection };
  const below = readCursor(cursor) ?? item.change + 1;
  // One more than the page: the "before" of the page's last entry.
  const entries = await listHistory(parts.database.db, scope, item.source_id, { below, limit: limit + 1 });
  const page = entries.slice(0, limit);
  const data = page.map((entry, at) => toEntry(entry, entries[at + 1]));
  const last = page.at(-1);
  return { data, next_cursor: entries.length > limit && last ? String(last.change) : null };
}

function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  if (!/^\d{1,9}$/.test(cursor))
    throw refuse('malformed-request', 'cursor must be a next_cursor from an earlier page of this list.');
  return Number(cursor);
}

function toEntry(entry: HistoryRecord, before: HistoryRecord | undefined): History['data'][number] {
  return {
    change: changeOf(entry, before),
    number: entry.change,
    correlation_id: entry.correlation_id,
    warehouse_id: entry.warehouse_id,
    source_version: entry.source_version,
    state: stateOf(entry.active),
    changed_at: entry.changed_at.toISOString(),
    before: before === undefined ? null : (before.item as Body | null),
    after: entry.item as Body | null,
    archived: entry.item === null,
  };
}

function changeOf(
  entry: HistoryRecord,
  before: HistoryRecord | undefined,
): History['data'][number]['change'] {
  if (before === undefined) return 'CREATED';
  if (!entry.active) return 'TOMBSTONED';
  return before.active ? 'UPDATED' : 'REACTIVATED';
}
