import { expect, test } from 'vitest';
import { apiPages } from '../../scripts/docs/api-pages.ts';
import type { OpenapiDocument } from '../../scripts/docs/openapi-model.ts';
import { textOf } from '../../scripts/docs/site-page.ts';

/** A document with what a reference has to follow: shared parts, examples, choices and a schema that contains itself. */
const document: OpenapiDocument = {
  info: { version: '1.2.3' },
  tags: [{ name: 'Things', description: 'Make `things`.' }],
  paths: {
    '/v1/things': {
      post: {
        operationId: 'createThing',
        summary: 'Create a thing',
        description: 'Creates **one** thing.',
        tags: ['Things'],
        parameters: [
          { $ref: '#/components/parameters/Key' } as never,
          { name: 'dry', in: 'query', schema: { type: 'boolean', default: false } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Thing' },
              examples: { small: { summary: 'A small one', value: { name: "Ada's", parts: [] } } },
            },
          },
        },
        responses: {
          201: {
            description: 'Default Response',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          409: { $ref: '#/components/responses/Taken' },
        },
      },
    },
  },
  webhooks: { 'thing.made': { post: { summary: 'A thing was made' } } },
  components: {
    parameters: {
      Key: {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        schema: { type: 'string', maxLength: 128 },
        example: 'k-1',
      },
    },
    responses: {
      Taken: {
        description: '- `name_taken`: The name is taken (retry: no)',
        content: {},
      },
    },
    schemas: {
      Named: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', description: 'The name' } },
      },
      Thing: {
        allOf: [
          { $ref: '#/components/schemas/Named' },
          {
            properties: {
              kind: { enum: ['a', 'b'], description: 'One kind' },
              parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
              owner: { anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }] },
            },
          },
        ],
      },
    },
  },
};

test('[OPS6] shared parts, examples and schemas that contain themselves: shown in the reference', () => {
  const pages = apiPages(document);
  expect(pages.map(({ slug }) => slug)).toEqual(['api', 'api/things', 'api/webhook-events']);
  const { html, markdown, sections } = pages[1] ?? { html: '', markdown: '', sections: [] };
  const text = textOf(html);
  expect(html).toContain('<p class="lead">Make <code>things</code>.</p>');
  expect(html).toContain('<strong>one</strong>');
  expect(text).toContain('Idempotency-Key header string required');
  expect(text).toContain('Default false');
  expect(text).toContain('name string required The name');
  expect(text).toContain('kind value One kind One of a, b');
  expect(text).toContain('parts array of object');
  expect(text).toContain('owner object or null');
  expect(text).toContain('A small one');
  expect(text).toContain('201 Created');
  expect(html).toContain('<a href="errors#name_taken"><code>name_taken</code></a>: The name is taken');
  const command = /```sh\n([\s\S]*?)\n```/.exec(markdown)?.[1];
  expect(command).toContain(`-X POST "$ROWPRESS_URL/v1/things"`);
  expect(command).toContain(`-H 'Idempotency-Key: k-1'`);
  expect(command).toContain(`"name": "Ada'\\''s"`);
  expect(sections.map(({ heading }) => heading)).toEqual(['Things', 'Create a thing']);
});

test('[OPS6] a reference to a part that the document does not have: an error that names it', () => {
  const broken = { ...document, components: {} };
  expect(() => apiPages(broken)).toThrow('the OpenAPI document has no #/components/parameters/Key');
});
