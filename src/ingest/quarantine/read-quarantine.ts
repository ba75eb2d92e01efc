import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Db } from '#storage/database.ts';
import {
  findQuarantine,
  listQuarantine,
  type QuarantineRecord,
  type QuarantineView,
} from '#storage/ingest/quarantine.ts';
import { findCollection, getCollection } from '../collections/registry.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { parsePublicId, publicId } from '../public-id.ts';
import { identifyCaller } from '../requests/partner.ts';
import type { quarantineListSchema, quarantineQuery, quarantineSchema } from './contract.ts';

type WireRecord = z.output<typeof quarantineSchema>;

export function toWire(record: QuarantineRecord): WireRecord {
  const { path, prefix } = getCollection(record.collection);
  return {
    quarantine_id: publicId('qn', record.id),
    collection: path,
    source_id: record.source_id,
    source_version: record.source_version,
    reason: record.reason,
    status: record.status as WireRecord['status'],
    item: record.item,
    internal_id: record.internal_id === null ? null : publicId(prefix, record.internal_id),
    correlation_id: record.correlation_id,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
  };
}

export async function getQuarantine(db: Db, view: QuarantineView, id: string): Promise<QuarantineRecord> {
  const uuid = parsePublicId('qn', id);
  const record = uuid === undefined ? undefined : await findQuarantine(db, view, uuid);
  if (record === undefined) throw refuse('not-found', 'Quarantine record not found.');
  return record;
}

/** `GET /quarantine/{id}`. */
export async function readQuarantine(
  parts: IngestParts,
  request: FastifyRequest,
  id: string,
): Promise<WireRecord> {
  const caller = await identifyCaller(parts, request, 'read');
  return toWire(await getQuarantine(parts.database.db, caller, id));
}

/** `GET /quarantine`: newest first. */
export async function listQuarantineRecords(
  parts: IngestParts,
  request: FastifyRequest,
  query: z.output<typeof quarantineQuery>,
): Promise<z.output<typeof quarantineListSchema>> {
  const { partnerNo, warehouses } = await identifyCaller(parts, request, 'read');
  const { cursor, limit, status } = query;
  const after = cursor === undefined ? undefined : parsePublicId('qn', cursor);
  if (cursor !== undefined && after === undefined)
    throw refuse('malformed-request', 'cursor must be a next_cursor from an earlier page of this list.');
  const collection = collectionNumber(query.collection);
  const page = { partnerNo, warehouses, collection, status, after, limit };
  const records = await listQuarantine(parts.database.db, page);
  const data = records.slice(0, limit).map(toWire);
  return { data, next_cursor: records.length > limit ? (data.at(-1)?.quarantine_id ?? null) : null };
}

export function collectionNumber(path: string | undefined): number | undefined {
  if (path === undefined) return undefined;
  const definition = findCollection(path);
  if (definition === undefined) throw refuse('not-found', 'Collection not found.');
  return definition.no;
}
