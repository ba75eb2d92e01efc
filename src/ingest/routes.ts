import type { RouteGroup } from '#http/route-group.ts';
import { capabilitiesSchema, readCapabilities } from './capabilities.ts';
import * as contract from './contract.ts';
import { itemRoutes } from './items/routes.ts';
import { readLoad, readResults } from './loads/read-load.ts';
import { type IngestParts, PREFIX } from './parts.ts';
import { quarantineRoutes } from './quarantine/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { createRouteKit, type IngestApp, type RouteKit, TAG } from './route-kit.ts';
import { ingestWebhooks } from './webhooks/documented-events.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The HTTP routes of Ingest. */
export function ingestRoutes(parts: IngestParts): RouteGroup {
  return {
    prefix: PREFIX,
    tags: [
      {
        name: TAG,
        description:
          'Partners send master data, documents and stock of a warehouse. Every write carries a correlation id and happens once.',
      },
    ],
    webhooks: ingestWebhooks,
    plugin: async (app, context) => {
      // Bodies are streams: a replay does not depend on their content, and a bulk load is large.
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
      const kit = createRouteKit(parts, context);
      app.get('/capabilities', {
        ...kit.read(
          {
            operationId: 'getIngestCapabilities',
            summary: 'Describe the capabilities of this installation',
            description: 'Lists the collections, the modes, the events and the limits of this installation.',
          },
          capabilitiesSchema,
        ),
        handler: async () => readCapabilities(parts),
      });
      itemRoutes(app, kit);
      jobRoutes(app, kit);
      requestRoutes(app, kit);
      quarantineRoutes(app, kit);
      webhookRoutes(app, kit);
    },
  };
}

/** One document, or one line per item. */
const resultAnswers = {
  200: {
    description: 'Results, in the order of the items',
    content: {
      'application/json': contract.resultsSchema,
      'application/x-ndjson': {
        type: 'string',
        examples: [contract.resultExamples.map((result) => `${JSON.stringify(result)}\n`).join('')],
      },
    },
  },
};

function jobRoutes(app: IngestApp, { parts, read, idOf }: RouteKit): void {
  app.get('/jobs/:id', {
    ...read(
      {
        operationId: 'getIngestJob',
        summary: 'Read a bulk job',
        description: 'Returns the state, the progress and the totals of a bulk load or a full refresh.',
        params: contract.jobParams,
      },
      contract.jobSchema,
    ),
    handler: (request) => readLoad(parts, request, idOf(request)),
  });
  const results = read(
    {
      operationId: 'listIngestJobResults',
      summary: 'Read the results of a bulk job, item by item',
      description: 'Returns the results in pages, or all of them as one line each with `format=ndjson`.',
      params: contract.jobParams,
      querystring: contract.resultsQuery,
    },
    contract.resultsSchema,
  );
  app.get('/jobs/:id/results', {
    ...results,
    config: { ...results.config, documentedResponses: resultAnswers },
    handler: async (request, reply) =>
      void (await readResults(parts, request, reply, idOf(request), request.query)),
  });
}
