import { expect, test } from 'vitest';
import { z } from 'zod';
import { startServer, testSettings } from '../../../test/support/http.ts';
import type { RouteGroup } from '../route-group.ts';

const surface: RouteGroup = {
  prefix: '/v1/bulkfill',
  webhooks: {
    'thing.made': { tag: 'Things', summary: 'A thing was made', body: z.object({ id: z.string() }) },
  },
  plugin: async (app) => {
    const thing = z.object({ id: z.string() }).meta({ id: 'OpenapiTestThing' });
    app.post('/things', {
      bodyLimit: 5_000,
      schema: { summary: 'Make a thing', response: { 200: thing, 500: thing } },
      config: {
        errors: ['NO_ROWS', 'MISSING_FIELD'],
        documentedBody: {
          'multipart/form-data': {
            type: 'object',
            properties: { pdf: { type: 'string', format: 'binary' } },
          },
        },
        documentedHeaders: { 'Idempotency-Key': { type: 'string', maxLength: 128 } },
      },
      handler: async () => ({ id: '1' }),
    });
    app.get('/things/:id/file', {
      config: {
        public: true,
        documentedResponses: {
          200: {
            description: 'The file',
            content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
          },
        },
      },
      handler: async () => 'x',
    });
  },
};

type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<
    string,
    { $ref?: string; description: string; content: Record<string, { schema: Record<string, unknown> }> }
  >;
  security: unknown[];
};

async function readDocument(settings = testSettings) {
  const { url } = await startServer({ settings, surfaces: [surface] });
  return (await (await fetch(`${url}/openapi.json`)).json()) as {
    openapi: string;
    servers: { url: string }[];
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: object; responses: Record<string, { description: string }> };
    webhooks: object;
  };
}

test('[OPS5] the document: is OpenAPI 3.1 from the schemas, with forms, headers and streams', async () => {
  const document = await readDocument();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toEqual(['/v1/bulkfill/things', '/v1/bulkfill/things/{id}/file']);
  const make = document.paths['/v1/bulkfill/things']?.post as Operation;
  expect(make.requestBody?.content['multipart/form-data']?.schema).toMatchObject({ properties: { pdf: {} } });
  expect(make.parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }]);
  expect(make.security).toEqual([{ bearer: [] }]);
  expect(document.components.schemas).toHaveProperty('OpenapiTestThing');
  expect(document.webhooks).toHaveProperty(['thing.made']);
  const file = document.paths['/v1/bulkfill/things/{id}/file']?.get as Operation;
  expect(Object.keys(file.responses['200']?.content ?? {})).toEqual(['application/zip']);
  expect(file.security).toEqual([]);
});

test('[OPS5][HTTP64] every route: lists the shared errors and its own by status', async () => {
  const { paths, components } = await readDocument();
  const responses = paths['/v1/bulkfill/things']?.post?.responses ?? {};
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '413', '422', '429', '500', 'default']);
  const codes = (status: number) =>
    [...(responses[status]?.description ?? '').matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  expect(codes(422)).toEqual(['NO_ROWS']);
  expect(codes(400)).toEqual(['INVALID_FIELD', 'INVALID_MULTIPART', 'MISSING_FIELD']);
  expect(responses[400]?.$ref).toBe('#/components/responses/BulkFillBadRequest');
  // A failed job is also 500, so there are two shapes.
  expect(responses['500']?.content['application/json']?.schema.anyOf).toHaveLength(2);
  expect(responses.default).toEqual({ $ref: '#/components/responses/BulkFillFault' });
  expect(components.responses.BulkFillFault?.description).toContain(
    '- `SERVICE_UNAVAILABLE` (503): Service temporarily unavailable (retry: same key)',
  );
});

test('[HTTP39] an operation with a body: the document contains the size limit', async () => {
  const { paths } = await readDocument();
  expect(paths['/v1/bulkfill/things']?.post).toMatchObject({ 'x-max-body-bytes': 5_000 });
  expect(paths['/v1/bulkfill/things/{id}/file']?.get).not.toHaveProperty('x-max-body-bytes');
});

test('[HTTP39] a route with a body but without a limit: the server does not start', async () => {
  const unlimited: RouteGroup = {
    prefix: '/wms-ingest/v1',
    plugin: async (app) => {
      app.post('/things', async () => ({}));
      app.get('/things', async () => ({}));
    },
  };
  await expect(startServer({ surfaces: [surface, unlimited] })).rejects.toThrow(
    /^bug: no bodyLimit for POST \/wms-ingest\/v1\/things$/,
  );
});

test('[OPS5] /openapi.json below a base path: names it as the server', async () => {
  const settings = { ...testSettings, basePath: '/tools' };
  expect((await readDocument(settings)).servers).toEqual([{ url: '/tools' }]);
});
