import { z } from 'zod';
import { exampleOf } from '#http/openapi/zod-schemas.ts';
import type { CollectionDefinition } from '../collections/definition.ts';
import { collections } from '../collections/registry.ts';
import * as contract from '../contract.ts';
import type { IngestApp, RouteKit } from '../route-kit.ts';
import { readHistory } from './read-history.ts';
import { readItem, readMapping, readMappingByInternalId } from './read-items.ts';
import { writeItems } from './write-items.ts';

type ItemParams = z.output<typeof contract.itemParams>;

/** The routes of items: the writes of each collection, and reads. */
export function itemRoutes(app: IngestApp, { parts, read, write, idOf }: RouteKit): void {
  const { maxUpsertBytes, maxBulkBytes } = parts.settings;
  const bodyLimit = Math.max(maxUpsertBytes, maxBulkBytes);
  for (const collection of collections) {
    const path = `/${collection.path}`;
    app.post(
      path,
      write(
        {
          operationId: `send${pascal(path.slice(path.lastIndexOf('/') + 1))}`,
          summary: `Send items of ${collection.path}`,
          description: SENDING,
          querystring: contract.documentedWriteQuery,
        },
        { 200: contract.writtenSchema, 202: contract.acceptedSchema },
        (request, first) => writeItems(parts, request, first, collection.path),
        { body: bodiesOf(collection), bodyLimit },
      ),
    );
  }
  // Unknown collections come here: a replay does not depend on the path, so the name is validated after the check for one.
  const unknown = write(
    { operationId: '', summary: '', description: '' },
    { 200: contract.writtenSchema, 202: contract.acceptedSchema },
    (request, first) => {
      const { group, name } = request.params as { group: string; name: string };
      return writeItems(parts, request, first, `${group}/${name}`);
    },
    { bodyLimit },
  );
  app.post('/:group/:name', { ...unknown, schema: { hide: true } });

  app.get('/:group/:name/:source_id', {
    ...read(
      {
        operationId: 'getItem',
        summary: 'Read an item',
        description: 'Returns an item as it is stored. `item` has the members that its collection describes.',
        params: contract.itemParams,
      },
      contract.itemSchema,
    ),
    handler: (request) => readItem(parts, request, request.params as ItemParams),
  });
  app.get('/:group/:name/:source_id/history', {
    ...read(
      {
        operationId: 'listItemHistory',
        summary: 'Read the changes of an item',
        description: 'Lists every change with the item before and after it, newest first.',
        params: contract.itemParams,
        querystring: contract.pageQuery,
      },
      contract.historySchema,
    ),
    handler: (request) => readHistory(parts, request, request.params as ItemParams, request.query),
  });
  app.get('/mappings/:group/:name/:source_id', {
    ...read(
      {
        operationId: 'getMapping',
        summary: 'Find the internal id of an item',
        description: 'Returns the ids of an item without its members.',
        params: contract.itemParams,
      },
      contract.mappingSchema,
    ),
    handler: (request) => readMapping(parts, request, request.params as ItemParams),
  });
  app.get('/mappings/by-internal-id/:id', {
    ...read(
      {
        operationId: 'getMappingByInternalId',
        summary: 'Find the item of an internal id',
        description: 'Returns the collection and the source id of an item.',
        params: contract.internalIdParams,
      },
      contract.mappingSchema,
    ),
    handler: (request) => readMappingByInternalId(parts, request, idOf(request)),
  });
}

const SENDING =
  'Creates or updates items, at most once per correlation id. An item with a missing reference is quarantined, and an invalid one is rejected; the others are stored. `mode=bulk` and `mode=full-refresh` answer with a job.';

const pascal = (words: string) =>
  words
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The two forms of a body: one document, or one item per line. */
function bodiesOf({ schema }: CollectionDefinition) {
  const example = exampleOf(schema);
  return {
    'application/json': z.strictObject({ items: z.array(schema) }).meta({ examples: [{ items: [example] }] }),
    'application/x-ndjson': { type: 'string', examples: [`${JSON.stringify(example)}\n`] },
  };
}
