import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { collections } from '#ingest/collections/registry.ts';
import { shownRetry } from '#lib/errors/catalogue.ts';
import { surfaces } from '#main/surfaces.ts';
import {
  closed,
  type DocumentedBody,
  type DocumentedOperation,
  type DocumentedResponse,
  operationsOf,
  readDocument,
  resolve,
} from '../support/openapi-document.ts';

const document = readDocument();
const operations = operationsOf(document);
const webhooks = Object.entries(document.webhooks).map(([name, { post }]) => ({ name, operation: post }));
const all = [...operations, ...webhooks];

/** Bodies without a useful example: the bytes of a file. */
const isBinary = ({ schema }: DocumentedBody) => 'format' in schema && schema.format === 'binary';
const responsesOf = ({ responses }: DocumentedOperation) =>
  Object.entries(responses).map(([status, response]) => ({
    status,
    ...resolve<DocumentedResponse>(document, response),
  }));
const examplesOf = ({ example, examples = {} }: DocumentedBody): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...Object.values(examples).map((each) => resolve<{ value: unknown }>(document, each).value),
];

test('[HTTP60] every operation: has an id, a summary, a description and declared tags', () => {
  expect(operations.length).toBeGreaterThan(80);
  const ids = all.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
  const declared = new Set(document.tags.map(({ name }) => name));
  for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  for (const { name, operation } of all) {
    expect(operation.summary, name).toMatch(/^[A-Z].*[^.]$/);
    expect(operation.description, name).toMatch(/^[A-Z].*\.$/s);
    expect(operation.tags, name).toHaveLength(1);
    expect(declared, name).toContain(operation.tags[0]);
  }
});

test('[HTTP61] every operation: has an example of its request and of its response', () => {
  const lacking = all.flatMap(({ name, operation }) => {
    const request = Object.values(operation.requestBody?.content ?? {});
    const replies = responsesOf(operation).filter(({ status }) => /^2/.test(status));
    const response = replies.flatMap(({ content }) => Object.values(content ?? {}));
    const lacks = (bodies: readonly DocumentedBody[]) =>
      bodies.some((body) => !isBinary(body) && examplesOf(body).length === 0);
    return [
      ...(lacks(request) ? [`${name}: request`] : []),
      ...(lacks(response) ? [`${name}: response`] : []),
    ];
  });
  expect(lacking).toEqual([]);
});

/** Validates against the schemas of the document, without members that it does not list. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
const elsewhere = (schema: object) =>
  closed(JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'schema:')));
for (const [name, schema] of Object.entries(document.components.schemas ?? {}))
  ajv.addSchema(elsewhere(schema), `schema:${name}`);
const validator = (schema: object) => ajv.compile(elsewhere(schema));

test('[HTTP61] every example: is valid according to its schema', () => {
  let checked = 0;
  for (const { name, operation } of all) {
    const sent = Object.entries(operation.requestBody?.content ?? {});
    const received = responsesOf(operation).flatMap(({ content = {} }) => Object.entries(content));
    for (const [mediaType, body] of [...sent, ...received]) {
      const validate = validator(body.schema);
      for (const example of examplesOf(body)) {
        validate(example);
        expect(validate.errors ?? [], `${name} ${mediaType}`).toEqual([]);
        checked += 1;
      }
    }
  }
  expect(checked).toBeGreaterThan(500);
});

test('[HTTP61] an example that does not fit its schema: is found', () => {
  const { value } = resolve<{ value: object }>(document, { $ref: '#/components/examples/ExportJob' });
  const validate = validator({ $ref: '#/components/schemas/ExportJob' });
  expect(validate(value)).toBe(true);
  expect(validate({ ...value, status: 'done' })).toBe(false);
  expect(validate({ ...value, created_at: 'today' })).toBe(false);
  expect(validate({ ...value, surprise: 1 })).toBe(false);
});

test('[HTTP62] every response: documents the header with the id of its request', () => {
  const ids = ['X-Request-Id', 'X-Mailrith-Request-Id', 'traceparent'];
  for (const { name, operation } of operations)
    for (const { status, headers = {} } of responsesOf(operation))
      expect(
        Object.keys(headers).filter((header) => ids.includes(header)),
        `${name} ${status}`,
      ).toHaveLength(1);
});

test('[HTTP63] the document: names its parts instead of repeating them', () => {
  const text = JSON.stringify(document);
  expect(readFileSync('docs/openapi.json', 'utf8').split('\n').length).toBeLessThan(10_000);
  for (const name of ['ExportJob', 'ExportJobResult', 'ProblemRow', 'ImportJob', 'ItemResult', 'SkuItem'])
    expect(document.components.schemas).toHaveProperty(name);
  const unused = Object.entries(document.components).flatMap(([kind, parts]) =>
    Object.keys(parts).filter(
      (name) => kind !== 'securitySchemes' && !text.includes(`"#/components/${kind}/${name}"`),
    ),
  );
  expect(unused).toEqual([]);
  const twoForms = Object.keys(document.components.schemas ?? {}).filter((name) => name.endsWith('Input'));
  expect(twoForms).toEqual([]);
});

test('[HTTP64] every error code of a surface: is in the document with its retry guidance', () => {
  const lines = new Set<string>();
  JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'description')
      for (const line of String(value).split('\n')) lines.add(line.replace(/` \(\d+\):/, '`:'));
    return value;
  });
  for (const { dialect } of surfaces.filter(({ dialect }) => dialect.documented))
    for (const [code, { title, retry }] of Object.entries(dialect.errors.codes))
      expect(lines, code).toContain(`- \`${code}\`: ${title} (retry: ${shownRetry[retry]})`);
});

test('[HTTP65] every collection of Ingest: has an operation with its own type of item', () => {
  const types = collections.map(({ path }) => {
    const operation = document.paths[`/wms-ingest/v1/${path}`]?.post;
    const { schema } = operation?.requestBody?.content['application/json'] ?? { schema: {} };
    return (schema as { properties: { items: { items: { $ref: string } } } }).properties.items.items.$ref;
  });
  expect(new Set(types).size).toBe(collections.length);
  for (const type of types) expect(type).toMatch(/^#\/components\/schemas\/[A-Za-z]+Item$/);
});
