import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { MAX_SMALL_JSON_BYTES } from '#http/http-settings.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { capabilitiesSchema, readCapabilities } from './capabilities.ts';
import { collections } from './collections/registry.ts';
import * as contract from './contract.ts';
import { type IngestCode, refuse } from './errors.ts';
import { readHistory } from './items/read-history.ts';
import { readItem, readMapping, readMappingByInternalId } from './items/read-items.ts';
import { writeItems } from './items/write-items.ts';
import { readLoad, readResults } from './loads/read-load.ts';
import { type IngestParts, PREFIX } from './parts.ts';
import { discardQuarantine, releaseQuarantine } from './quarantine/end-quarantine.ts';
import { listQuarantineRecords, readQuarantine } from './quarantine/read-quarantine.ts';
import { redriveQuarantine } from './quarantine/redrive.ts';
import { createAnswerOnce, type Write, type Written } from './requests/answer-once.ts';
import {
  listClientCertificates,
  registerCertificate,
  revokeClientCertificate,
} from './requests/certificates.ts';
import { requireCredential } from './requests/partner.ts';
import { readRequest } from './requests/read-request.ts';
import { ingestWebhooks } from './webhooks/documented-events.ts';
import {
  createReceiver,
  listWebhooks,
  readSecret,
  removeWebhook,
  rotateSecret,
} from './webhooks/manage-receivers.ts';

type Perform = (request: FastifyRequest, write: Write) => Promise<Written>;

const tags = ['Ingest'];
const errors = {
  read: ['not-found', 'cross-warehouse-credential', 'malformed-request'],
  write: [
    'invalid-correlation-id',
    'malformed-request',
    'cross-warehouse-credential',
    'not-found',
    'state-conflict',
    'payload-too-large',
    'business-invalid',
  ],
} satisfies Record<string, IngestCode[]>;

/** One document, or one line per item. */
const resultAnswers = {
  200: {
    description: 'Results, in the order of the items',
    content: {
      'application/json': { schema: z.toJSONSchema(contract.resultsSchema) },
      'application/x-ndjson': { schema: { type: 'string' } },
    },
  },
};
const itemsBody = {
  type: 'object',
  required: ['items'],
  additionalProperties: false,
  properties: {
    items: {
      type: 'array',
      items: {
        anyOf: collections.map(({ path, schema }) => {
          const { $schema: _, ...item } = z.toJSONSchema(schema, { io: 'input' });
          return { title: path, ...item };
        }),
      },
    },
  },
};
const bodies = {
  items: { 'application/json': itemsBody, 'application/x-ndjson': { type: 'string' } },
  webhook: { 'application/json': z.toJSONSchema(contract.webhookBody, { io: 'input' }) },
  certificate: { 'application/json': z.toJSONSchema(contract.certificateBody, { io: 'input' }) },
};

/** The HTTP routes of Ingest. A collection is two path segments; its name is validated after the check for a replay. */
export function ingestRoutes(parts: IngestParts): RouteGroup {
  return {
    prefix: PREFIX,
    webhooks: ingestWebhooks,
    plugin: async (app, { guards }) => {
      const { maxUpsertBytes, maxBulkBytes } = parts.settings;
      const onRequest = [requireCredential(parts, guards), guards.rateLimit('ingest', 'ingest')];
      const answerOnce = createAnswerOnce(parts);
      // Bodies are streams: a replay does not depend on their content, and a bulk load is large.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

      /** Every write: correlation id, replay, then `perform`. */
      const write = (
        summary: string,
        response: Record<number, z.ZodType>,
        perform: Perform,
        documentedBody?: Record<string, object>,
        bodyLimit = MAX_SMALL_JSON_BYTES,
      ) => ({
        onRequest,
        bodyLimit, // counted while it is read
        schema: { summary, tags, response },
        config: {
          errors: errors.write,
          documentedHeaders: contract.documentedWriteHeaders,
          ...(documentedBody && { documentedBody }),
        },
        handler: (request: FastifyRequest, reply: FastifyReply) =>
          answerOnce(request, reply, (first) => perform(request, first)),
      });
      const read = <Response extends z.ZodType>(summary: string, response: Response) => ({
        onRequest,
        schema: { summary, tags, response: { 200: response } },
        config: { errors: errors.read, documentedHeaders: contract.documentedReadHeaders },
      });
      const idOf = (request: FastifyRequest) => (request.params as { id: string }).id;

      app.get('/capabilities', {
        ...read('Describe the capabilities of this installation', capabilitiesSchema),
        handler: async () => readCapabilities(parts),
      });

      const items = write(
        'Send items of a collection',
        { 200: contract.writtenSchema, 202: contract.acceptedSchema },
        (request, first) => writeItems(parts, request, first),
        bodies.items,
        Math.max(maxUpsertBytes, maxBulkBytes),
      );
      app.post('/:group/:name', {
        ...items,
        schema: {
          ...items.schema,
          params: contract.collectionParams,
          querystring: contract.documentedWriteQuery,
        },
      });
      const item = read('Read an item', contract.itemSchema);
      app.get('/:group/:name/:source_id', {
        ...item,
        schema: { ...item.schema, params: contract.itemParams },
        handler: (request) => readItem(parts, request, request.params),
      });
      const history = read('Read the changes of an item', contract.historySchema);
      app.get('/:group/:name/:source_id/history', {
        ...history,
        schema: { ...history.schema, params: contract.itemParams, querystring: contract.pageQuery },
        handler: (request) => readHistory(parts, request, request.params, request.query),
      });
      const mapping = read('Find the internal id of an item', contract.mappingSchema);
      app.get('/mappings/:group/:name/:source_id', {
        ...mapping,
        schema: { ...mapping.schema, params: contract.itemParams },
        handler: (request) => readMapping(parts, request, request.params),
      });
      app.get('/mappings/by-internal-id/:id', {
        ...read('Find the item of an internal id', contract.mappingSchema),
        handler: (request) => readMappingByInternalId(parts, request, idOf(request)),
      });

      app.get('/jobs/:id', {
        ...read('Read a bulk job', contract.jobSchema),
        handler: (request) => readLoad(parts, request, idOf(request)),
      });
      const results = read('Read the results of a bulk job, item by item', contract.resultsSchema);
      app.get('/jobs/:id/results', {
        ...results,
        schema: { ...results.schema, querystring: contract.resultsQuery },
        config: { ...results.config, documentedResponses: resultAnswers },
        handler: async (request, reply) =>
          void (await readResults(parts, request, reply, idOf(request), request.query)),
      });
      app.get('/requests/:id', {
        ...read('Read the request of a correlation id', contract.requestSchema),
        handler: (request) => readRequest(parts, request, idOf(request)),
      });

      const list = read('List quarantine records, newest first', contract.quarantineListSchema);
      app.get('/quarantine', {
        ...list,
        schema: { ...list.schema, querystring: contract.quarantineQuery },
        handler: (request) => listQuarantineRecords(parts, request, request.query),
      });
      app.get('/quarantine/:id', {
        ...read('Read a quarantine record', contract.quarantineSchema),
        handler: (request) => readQuarantine(parts, request, idOf(request)),
      });
      app.post(
        '/quarantine/:id/release',
        write('Release a quarantined item', { 200: contract.quarantineSchema }, (request, first) =>
          releaseQuarantine(parts, first, idOf(request)),
        ),
      );
      app.post(
        '/quarantine/:id/discard',
        write('Discard a quarantined item', { 200: contract.quarantineSchema }, (request, first) =>
          discardQuarantine(parts, first, idOf(request)),
        ),
      );
      const redrive = write(
        'Evaluate quarantined items again',
        { 200: contract.redrivenSchema },
        (request, first) => redriveQuarantine(parts, first, readRedrive(request)),
      );
      app.post('/quarantine/redrive', {
        ...redrive,
        schema: { ...redrive.schema, querystring: contract.documentedRedriveQuery },
      });

      app.get('/webhooks', {
        ...read('List webhooks', contract.webhookListSchema),
        handler: (request) => listWebhooks(parts, request),
      });
      app.post(
        '/webhooks',
        write(
          'Register a webhook',
          { 201: contract.webhookSchema },
          (_request, first) => createReceiver(parts, first),
          bodies.webhook,
        ),
      );
      app.get('/webhooks/:id/secret', {
        ...read('Read the signing secret', contract.secretSchema),
        handler: (request) => readSecret(parts, request, idOf(request)),
      });
      app.post(
        '/webhooks/:id/rotate-secret',
        write(
          'Rotate the signing secret; the old one stays valid for a day',
          { 200: contract.webhookSchema },
          (request, first) => rotateSecret(parts, first, idOf(request)),
        ),
      );
      app.post(
        '/webhooks/:id/remove',
        write('Remove a webhook', { 200: contract.webhookSchema }, (request, first) =>
          removeWebhook(parts, first, idOf(request)),
        ),
      );

      app.get('/certificates', {
        ...read('List client certificates', contract.certificateListSchema),
        handler: (request) => listClientCertificates(parts, request),
      });
      const registration = write(
        'Register the client certificate of this connection',
        { 201: contract.certificateSchema },
        (request, first) => registerCertificate(parts, request, first),
        bodies.certificate,
      );
      app.post('/certificates', {
        ...registration,
        config: { ...registration.config, errors: [...errors.write, 'certificate-not-presented'] },
      });
      app.post(
        '/certificates/:id/revoke',
        write('Revoke a client certificate', { 200: contract.certificateSchema }, (request, first) =>
          revokeClientCertificate(parts, first, idOf(request)),
        ),
      );
    },
  };
}

function readRedrive(request: FastifyRequest): string | undefined {
  const query = contract.redriveQuery.safeParse(request.query);
  if (!query.success) throw refuse('malformed-request', 'collection must be the name of one collection.');
  return query.data.collection;
}
