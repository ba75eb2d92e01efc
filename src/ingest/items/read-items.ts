import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findItem, findItemByInternalId, type ItemRecord } from '#storage/ingest/items.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { sourceId } from '../collections/fields.ts';
import { collections, findCollection, getCollection } from '../collections/registry.ts';
import type { itemParams, itemSchema, mappingSchema } from '../contract.ts';
import { refuse } from '../errors.ts';
import type { IngestParts } from '../parts.ts';
import { parsePublicId, publicId } from '../public-id.ts';
import { identifyCaller } from '../requests/partner.ts';

type ItemParams = z.output<typeof itemParams>;

export function requireCollection({ group, name }: { group: string; name: string }): CollectionDefinition {
  const definition = findCollection(`${group}/${name}`);
  if (definition === undefined) throw refuse('not-found', 'Collection not found.');
  return definition;
}

export async function getItem(
  parts: IngestParts,
  request: FastifyRequest,
  params: ItemParams,
): Promise<ItemRecord> {
  const definition = requireCollection(params);
  const { partnerNo } = await identifyCaller(parts, request, 'read');
  const known = sourceId.safeParse(params.source_id).success && !params.source_id.includes('\0');
  const item =
    known && (await findItem(parts.database.db, { partnerNo, collection: definition.no }, params.source_id));
  if (!item) throw refuse('not-found', 'Item not found.');
  return item;
}

export const stateOf = (active: boolean) => (active ? 'ACTIVE' : 'INACTIVE');

/** `GET /{collection}/{source_id}`. */
export async function readItem(
  parts: IngestParts,
  request: FastifyRequest,
  params: ItemParams,
): Promise<z.output<typeof itemSchema>> {
  const item = await getItem(parts, request, params);
  return {
    source_id: item.source_id,
    internal_id: publicId(getCollection(item.collection).prefix, item.internal_id),
    source_version: item.source_version,
    state: stateOf(item.active),
    item: item.item as Record<string, unknown>,
    updated_at: item.changed_at.toISOString(),
  };
}

/** `GET /mappings/{collection}/{source_id}`. */
export async function readMapping(
  parts: IngestParts,
  request: FastifyRequest,
  params: ItemParams,
): Promise<z.output<typeof mappingSchema>> {
  return toMapping(await getItem(parts, request, params));
}

/** `GET /mappings/by-internal-id/{id}`. */
export async function readMappingByInternalId(
  parts: IngestParts,
  request: FastifyRequest,
  id: string,
): Promise<z.output<typeof mappingSchema>> {
  const { partnerNo } = await identifyCaller(parts, request, 'read');
  const definition = collections.find(({ prefix }) => id.startsWith(`${prefix}-`));
  const uuid = definition && parsePublicId(definition.prefix, id);
  const item = uuid && (await findItemByInternalId(parts.database.db, partnerNo, uuid));
  if (!item || item.collection !== definition?.no) throw refuse('not-found', 'Mapping not found.');
  return toMapping(item);
}

function toMapping(item: ItemRecord): z.output<typeof mappingSchema> {
  const { path, prefix } = getCollection(item.collection);
  return {
    collection: path,
    source_id: item.source_id,
    internal_id: publicId(prefix, item.internal_id),
    source_version: item.source_version,
    state: stateOf(item.active),
  };
}
