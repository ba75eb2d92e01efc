import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type BulkfillServer,
  letterPdf,
  nameLayout,
  seal,
  startBulkfillServer,
} from '../support/bulkfill-server.ts';
import { startMutualTls } from '../support/mutual-tls.ts';
import {
  listsCode,
  operationsOf,
  readDocument,
  responseOf,
  standalone,
} from '../support/openapi-document.ts';

/**
 * Checks the server against docs/openapi.json as a client generator reads it: calls every operation, and each response
 * must match the document in status, media type and body schema.
 */
type Schema = Parameters<typeof z.fromJSONSchema>[0];
const document = readDocument();
const documented = operationsOf(document);
const JSON_TYPES = ['application/json', 'application/problem+json'];
const called = new Set<string>();

interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

let server: BulkfillServer;
let keys: Record<'bulkfill' | 'subscribers' | 'ingest', string>;
beforeAll(async () => {
  server = await startBulkfillServer({}, { resolve: async () => ['93.184.215.14'] });
  const key = async (surface: keyof typeof keys) => (await server.account({ surface })).key;
  keys = {
    bulkfill: await key('bulkfill'),
    subscribers: await key('subscribers'),
    ingest: await key('ingest'),
  };
});
afterAll(() => server.stop());

function surfaceOf(name: string): keyof typeof keys {
  if (name.includes('/v1/bulkfill/')) return 'bulkfill';
  return name.includes('/wms-ingest/') ? 'ingest' : 'subscribers';
}

/** Sends `name` (a method and a path of the document) with its `{…}` filled in, and checks the response against the document. */
// biome-ignore lint/suspicious/noExplicitAny: the document checks the response
async function call(name: string, params: Record<string, string> = {}, sent: Sent = {}): Promise<any> {
  const [plain = name, query] = name.split('?');
  const [method = '', template = ''] = plain.split(' ');
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${plain} is not in the document`);
  const path = template.replaceAll(/\{(\w+)\}/g, (_, param) => encodeURIComponent(params[param] ?? ''));
  const { body } = sent;
  const plainBody = body === undefined || typeof body === 'string' || body instanceof FormData;
  const response = await fetch(server.url + path + (query === undefined ? '' : `?${query}`), {
    method,
    redirect: 'manual',
    body: plainBody ? (body ?? null) : JSON.stringify(body),
    headers: {
      authorization: `Bearer ${sent.key ?? keys[surfaceOf(name)]}`,
      ...(!plainBody && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && template.startsWith('/wms-ingest/') && { 'x-correlation-id': randomUUID() }),
      ...(template.startsWith('/v1/bulkfill/') && method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...sent.headers,
    },
  });
  const text = await response.text();
  const faults: unknown[] = [];
  const answer = responseOf(document, operation, response.status);
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const schema = answer?.content?.[mediaType]?.schema;
  if (answer === undefined) faults.push('status');
  else if (text === '' ? answer.content !== undefined : schema === undefined) faults.push('media type');
  else if (schema !== undefined && JSON_TYPES.includes(mediaType))
    faults.push(...faultsOfBody(schema, JSON.parse(text)));
  if (answer !== undefined) faults.push(...faultsOfHeaders(answer.headers ?? {}, response.headers));
  const code = response.status >= 400 && answer !== undefined ? codeOf(text, mediaType) : undefined;
  if (code !== undefined && answer !== undefined && !listsCode(answer, code, response.status))
    faults.push(`code ${code}`);
  const answered = `${name} → ${response.status} ${mediaType} ${text.slice(0, 300)}`;
  expect.soft(faults, answered).toEqual([]);
  if (response.status < 400) called.add(plain);
  return JSON_TYPES.includes(mediaType) ? JSON.parse(text) : text;
}

function faultsOfBody(schema: object, body: unknown): readonly unknown[] {
  const closed = standalone(document, schema) as Schema;
  return z.fromJSONSchema(closed).safeParse(body).error?.issues ?? [];
}

/** Headers that every response which documents them carries. */
const REQUIRED = new Set(
  Object.entries((document.components.headers ?? {}) as Record<string, { required?: boolean }>)
    .filter(([, { required }]) => required === true)
    .map(([name]) => name.toLowerCase()),
);
const DOCUMENTED_HEADERS = Object.keys(document.components.headers ?? {}).map((name) => name.toLowerCase());

/** A documented header that was not sent, and a sent one that this response does not document. */
function faultsOfHeaders(listed: Readonly<Record<string, object>>, sent: Headers): readonly string[] {
  const names = new Set(Object.keys(listed).map((name) => name.toLowerCase()));
  for (const name of names) if (sent.has(name)) seenHeaders.add(name);
  return [
    ...[...names].filter((name) => REQUIRED.has(name) && !sent.has(name)).map((name) => `no ${name}`),
    ...DOCUMENTED_HEADERS.filter((name) => sent.has(name) && !names.has(name)).map((name) => `new ${name}`),
  ];
}
const seenHeaders = new Set<string>();

/** The code of an error, in the envelope of each surface. */
function codeOf(text: string, mediaType: string): string | undefined {
  if (!JSON_TYPES.includes(mediaType)) return undefined;
  const { code, error, type } = JSON.parse(text);
  return code ?? error?.code ?? type?.split('#')[1];
}

test('[OPS5][HTTP62] every operation of Bulk Fill: answers as the document says', async () => {
  const sealed = await seal(nameLayout, letterPdf);
  const form = (rows: string, percent = '0') => {
    const body = new FormData();
    body.append('pdf', new Blob([letterPdf as Uint8Array<ArrayBuffer>]), 'a.pdf');
    body.append('doqlo_file', new Blob([sealed as Uint8Array<ArrayBuffer>]), 'a.doqlo');
    body.append('rows_json', rows);
    body.append('max_failed_row_percent', percent);
    return body;
  };
  const jobs = '/v1/bulkfill/export-jobs';
  const headers = { 'idempotency-key': 'document-1' };
  const { job_id } = await call(
    `POST ${jobs}`,
    {},
    { body: form('[{"column_0":"Ann"},{"column_0":{}}]', '50'), headers },
  );
  expect(await call(`POST ${jobs}`, {}, { body: form('[{"column_0":"Bob"}]'), headers })).toMatchObject({
    differs_in: ['max_failed_row_percent', 'rows'],
  });
  expect(await call(`POST ${jobs}`, {}, { body: form('[{"column_0":{}}]') })).toMatchObject({
    status: 'failed',
  });
  expect(await call(`POST ${jobs}`, {}, { body: new FormData() })).toHaveProperty('code');
  await call(`GET ${jobs}`);
  expect(await call(`GET ${jobs}?limit=0`)).toMatchObject({ code: 'INVALID_FIELD' });
  const job = `${jobs}/{job_id}`;
  await call(`GET ${job}`, { job_id });
  expect(await call(`GET ${job}`, { job_id: randomUUID() })).toMatchObject({ code: 'EXPORT_JOB_NOT_FOUND' });
  await call(`GET ${job}/download`, { job_id });
  await call(`GET ${job}/download`, { job_id }, { headers: { range: 'bytes=0-9' } });
  await call(`GET ${job}/download`, { job_id }, { headers: { range: 'bytes=99999999-' } });
  await call(`GET ${job}/download`, { job_id }, { headers: { 'if-none-match': '*' } });
  await call(`GET ${job}/download`, { job_id }, { headers: { 'if-match': '"other"' } });
  expect(await call(`GET ${job}/merged.pdf`, { job_id })).toMatchObject({
    code: 'EXPORT_DELIVERY_NOT_FOUND',
  });
  const mergedForm = form('[{"column_0":"Ann"}]');
  mergedForm.append('output', 'merged');
  mergedForm.append('sheet', '{"preset":"avery-l7160"}');
  await call('GET /v1/bulkfill/sheets');
  const merged = await call(`POST ${jobs}`, {}, { body: mergedForm });
  await call(`GET ${job}/merged.pdf`, { job_id: merged.job_id });
  await call(`GET ${job}/merged.pdf`, { job_id: merged.job_id }, { headers: { range: 'bytes=0-9' } });
  await call(`GET ${job}/merged.pdf`, { job_id: merged.job_id }, { headers: { range: 'bytes=99999999-' } });
  await call(`GET ${job}/merged.pdf`, { job_id: merged.job_id }, { headers: { 'if-none-match': '*' } });
  await call(`GET ${job}/manifest`, { job_id });
  await call(`GET ${job}/problem-rows`, { job_id });
  await call(`GET ${job}/rows/{row}.pdf`, { job_id, row: '1' });
  await call(`GET ${job}/rows/{row}.pdf`, { job_id, row: '2' });
  await call(`GET ${job}/rows/{row}.png?width=64`, { job_id, row: '1' });
  await call(`GET ${job}/events`, { job_id });
  await call('GET /v1/bulkfill/idempotency-keys?key=document-1');
  await call('GET /v1/bulkfill/idempotency-keys?key=document-2');
  const patched = { rows: [{ row_number: 2, cells: { column_0: 'Eve' } }] };
  await call(`POST ${job}/retry`, { job_id }, { body: patched });
  await call(`POST ${job}/retry`, { job_id }, { body: { rows: [{ row_number: 1, cells: {} }] } });
  await call(`DELETE ${job}`, { job_id });
});

test('[OPS5][HTTP62] every operation of projects: answers as the document says', async () => {
  const sealed = await seal(nameLayout, letterPdf);
  const form = (parts: Readonly<Record<string, string | Uint8Array>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(parts))
      body.append(name, typeof value === 'string' ? value : new Blob([value as Uint8Array<ArrayBuffer>]));
    return { body };
  };
  const projects = '/v1/bulkfill/projects';
  const whole = { name: 'Letter', pdf: letterPdf, doqlo_file: sealed };
  const { project_id } = await call(`POST ${projects}`, {}, form(whole));
  expect(await call(`POST ${projects}`, {}, form(whole))).toMatchObject({ code: 'PROJECT_NAME_TAKEN' });
  expect(await call(`POST ${projects}`, {}, form({ name: 'x' }))).toMatchObject({ code: 'MISSING_FIELD' });
  const unsealed = form({ name: 'x', pdf: letterPdf, layout: '{}' });
  expect(await call(`POST ${projects}`, {}, unsealed)).toMatchObject({ code: 'SEAL_NOT_ALLOWED' });
  await call(`GET ${projects}`);
  const one = `${projects}/{project_id}`;
  await call(`GET ${one}?version=1`, { project_id });
  expect(await call(`GET ${one}?version=9`, { project_id })).toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  await call(`PUT ${one}`, { project_id }, form({ name: 'Letters' }));
  await call(`PUT ${one}`, { project_id }, { ...form({ name: 'x' }), headers: { 'if-match': '"1"' } });
  await call(`GET ${one}/versions`, { project_id });
  for (const file of ['pdf', 'package']) {
    await call(`GET ${one}/${file}`, { project_id });
    await call(`GET ${one}/${file}`, { project_id }, { headers: { range: 'bytes=0-9' } });
    await call(`GET ${one}/${file}`, { project_id }, { headers: { range: 'bytes=99999999-' } });
    await call(`GET ${one}/${file}`, { project_id }, { headers: { 'if-none-match': '*' } });
  }
  await call(`GET ${one}/row-schema`, { project_id });
  await call(`GET ${one}/sample.csv`, { project_id });
  await call(`GET ${one}/page.png?width=64`, { project_id });
  await call(`GET ${one}/page.png?width=64`, { project_id }, { headers: { 'if-none-match': '*' } });
  const order = { project: 'Letters@2', rows: [{ column_0: 'Ann' }], max_failed_row_percent: 0 };
  expect(await call('POST /v1/bulkfill/export-jobs', {}, { body: order })).toMatchObject({
    status: 'completed',
  });
  expect(await call('POST /v1/bulkfill/export-jobs', {}, { body: [] })).toMatchObject({
    code: 'INVALID_JSON',
  });
  await call(`DELETE ${one}`, { project_id });
  await call(`DELETE ${one}`, { project_id });
});

test('[OPS5][HTTP62] every operation of Subscribers: answers as the document says', async () => {
  await call('GET /v1');
  await call('GET /v1/openapi.json');
  await call('GET /v1/workspace');
  await call('GET /v1/capabilities');
  const tag_id = (await call('POST /v1/tags', {}, { body: { name: 'Friends' } })).data.id;
  await call('POST /v1/tags', {}, { body: { name: 'friends' } });
  const once = { body: { name: 'Once' }, headers: { 'idempotency-key': 'document-3' } };
  const first = await call('POST /v1/tags', {}, once);
  expect(await call('POST /v1/tags', {}, once)).toEqual(first);
  await call('POST /v1/tags', {}, { body: { nome: 'x' } });
  await call('GET /v1/tags');
  await call('GET /v1/tags/{tag_id}', { tag_id });
  await call('PUT /v1/tags/{tag_id}', { tag_id }, { body: { name: 'Good friends' } });
  const field = { label: 'Size', type: 'Single Select', settings: { options: ['S', 'M'] } };
  const custom_field_id = (await call('POST /v1/custom-fields', {}, { body: field })).data.id;
  await call('GET /v1/custom-fields');
  await call('GET /v1/custom-fields/{custom_field_id}', { custom_field_id });
  await call('PUT /v1/custom-fields/{custom_field_id}', { custom_field_id }, { body: { label: 'Sizes' } });
  const person = { email: 'ann@example.com', name: 'Ann' };
  const subscriber_id = (await call('POST /v1/subscribers', {}, { body: person })).data.id;
  await call('POST /v1/subscribers', {}, { body: person });
  await call('POST /v1/subscribers', {}, { body: { email: 'nobody' } });
  await call('GET /v1/subscribers');
  const one = '/v1/subscribers/{subscriber_id}';
  await call(`GET ${one}`, { subscriber_id });
  await call(`GET ${one}`, { subscriber_id: randomUUID() });
  await call(`PATCH ${one}`, { subscriber_id }, { body: { name: 'Ann Lee' } });
  await call(`PUT ${one}/status`, { subscriber_id }, { body: { status: 'Unsubscribed' } });
  await call(`PUT ${one}/tags/{tag_id}`, { subscriber_id, tag_id });
  await call(`DELETE ${one}/tags/{tag_id}`, { subscriber_id, tag_id });

  const mappings = [{ csv_column: 'Email', field: { type: 'email' } }];
  const started = await call('POST /v1/jobs/subscriber-import-uploads', {}, { body: {} });
  const token = started.data.upload_url.split('/').at(-1);
  await call('GET /v1/uploads/{token}', { token });
  const csv = 'Email\nbob@example.com\nnobody\n';
  const csvFile = { body: csv, headers: { 'content-type': 'text/csv' } };
  await call('PUT /v1/uploads/{token}', { token }, csvFile);
  await call('PUT /v1/uploads/{token}', { token: 'unknown' }, csvFile);
  const file = new FormData();
  file.append('file', new Blob([csv]), 'people.csv');
  await call('POST /v1/uploads/{token}', { token }, { body: file });
  await call('GET /v1/uploads/{token}', { token: 'unknown' });
  await call('GET /v1/jobs/subscriber-import-uploads/{upload_id}', { upload_id: started.data.id });
  const imports = '/v1/jobs/subscriber-imports';
  const body = { upload_id: started.data.id, mappings };
  const { id: import_id } = (await call(`POST ${imports}`, {}, { body })).data;
  await call(`POST ${imports}`, {}, { body: { csv_text: 'a,a\n', mappings } });
  await call(`GET ${imports}/{job_id}/events`, { job_id: import_id });
  await call(`GET ${imports}`);
  expect((await call(`GET ${imports}/{job_id}`, { job_id: import_id })).data).toMatchObject({
    status: 'Completed',
  });
  await call(`GET ${imports}/{job_id}/failed-rows`, { job_id: import_id });

  const exports = '/v1/jobs/subscriber-exports';
  for (const format of ['csv', 'ndjson']) {
    const { id: job_id } = (await call(`POST ${exports}`, {}, { body: { format } })).data;
    let job = (await call(`GET ${exports}/{job_id}`, { job_id })).data;
    for (let i = 0; i < 500 && job.download_url === null; i += 1)
      job = (await call(`GET ${exports}/{job_id}`, { job_id })).data;
    const [file_name, linkToken] = new URL(job.download_url).pathname.split('/').reverse();
    const params = { job_id, token: linkToken ?? '', file_name: file_name ?? '' };
    expect(await call('GET /v1/downloads/{job_id}/{token}/{file_name}', params)).toContain('ann@example.com');
    await call('GET /v1/downloads/{job_id}/{token}/{file_name}', { ...params, token: 'guess' });
  }
  await call(`GET ${exports}`);

  await call('DELETE /v1/subscribers/{subscriber_id}', { subscriber_id });
  await call('DELETE /v1/tags/{tag_id}', { tag_id });
  await call('DELETE /v1/custom-fields/{custom_field_id}', { custom_field_id });
  const hooks = '/v1/webhook-subscriptions';
  const hook = { url: 'https://hooks.example.com/', event_patterns: ['*'] };
  const webhook_subscription_id = (await call(`POST ${hooks}`, {}, { body: hook })).data.subscription.id;
  await call(`POST ${hooks}`, {}, { body: { ...hook, url: 'http://127.0.0.1/' } });
  await call(`GET ${hooks}`);
  const params = { webhook_subscription_id };
  await call(`GET ${hooks}/{webhook_subscription_id}`, params);
  await call(`PUT ${hooks}/{webhook_subscription_id}`, params, {
    body: { event_patterns: ['subscriber.*'] },
  });
  await call(`POST ${hooks}/{webhook_subscription_id}/rotate-secret`, params);
  await call(`DELETE ${hooks}/{webhook_subscription_id}`, params);
});

test('[SUB4] a route in the document: names the scopes that it requires', async () => {
  const route = document.paths['/v1/jobs/subscriber-imports']?.post;
  expect(route?.security).toEqual([{ bearer: ['subscribers:import', 'live_actions:write'] }]);
});

test('[OPS5][HTTP62] every operation of Ingest: answers as the document says', async () => {
  const api = '/wms-ingest/v1';
  const items = `POST ${api}/master/skus`;
  const collection = { group: 'master', name: 'skus' };
  const item = { source_id: 'A/1', source_version: 1, name: 'Screw', base_uom: 'EA' };
  await call(`GET ${api}/capabilities`);
  await call(`POST ${api}/master/uoms`, {}, { body: { items: [{ source_id: 'EA', name: 'Each' }] } });
  for (const { name, operation } of documented.filter(({ operation }) =>
    /^send/.test(operation.operationId),
  )) {
    const body = operation.requestBody?.content['application/json']?.example as object;
    expect(await call(name, {}, { body }), name).toMatchObject({ summary: { rejected: 0 } });
  }
  const strays = [
    item,
    { ...item, source_id: 'B', base_uom: 'LTR' },
    { ...item, source_id: 'C', base_uom: 'LTR' },
    {},
  ];
  const correlation = randomUUID();
  const headers = { 'x-correlation-id': correlation };
  const { results } = await call(items, {}, { body: { items: strays }, headers });
  await call(items, {}, { body: { items: [] }, headers });
  await call(`GET ${api}/requests/{id}`, { id: correlation });
  await call(items, {}, { body: { items: 1 } });
  await call(`${items}?mode=full-refresh`, {}, { body: { items: [] } });
  const one = `GET ${api}/{group}/{name}/{source_id}`;
  await call(one, { ...collection, source_id: 'A/1' });
  await call(one, { ...collection, source_id: 'Z' });
  await call(`${one}/history`, { ...collection, source_id: 'A/1' });
  await call(`GET ${api}/mappings/{group}/{name}/{source_id}`, { ...collection, source_id: 'A/1' });
  await call(`GET ${api}/mappings/by-internal-id/{id}`, { id: results[0].internal_id });
  const { job_id: id } = await call(`${items}?mode=bulk`, {}, { body: { items: [item] } });
  let job = await call(`GET ${api}/jobs/{id}`, { id });
  for (let i = 0; i < 500 && job.status !== 'COMPLETED'; i += 1)
    job = await call(`GET ${api}/jobs/{id}`, { id });
  await call(`GET ${api}/jobs/{id}/results`, { id });
  await call(`GET ${api}/jobs/{id}/results?format=ndjson`, { id });
  await call(`GET ${api}/quarantine`);
  const [released, discarded] = [results[1].quarantine_id, results[2].quarantine_id];
  await call(`GET ${api}/quarantine/{id}`, { id: released });
  await call(`POST ${api}/quarantine/redrive?collection=master/skus`);
  await call(`POST ${api}/quarantine/{id}/release`, { id: released });
  await call(`POST ${api}/quarantine/{id}/discard`, { id: discarded });
  await call(`POST ${api}/quarantine/{id}/discard`, { id: discarded });
  const { webhook_id } = await call(
    `POST ${api}/webhooks`,
    {},
    { body: { url: 'https://hooks.example.com/' } },
  );
  await call(`POST ${api}/webhooks`, {}, { body: { url: 'http://127.0.0.1/' } });
  await call(`GET ${api}/webhooks`);
  await call(`GET ${api}/webhooks/{id}/secret`, { id: webhook_id });
  await call(`POST ${api}/webhooks/{id}/rotate-secret`, { id: webhook_id });
  await call(`POST ${api}/webhooks/{id}/remove`, { id: webhook_id });
  // Without TLS the route can only reject. A node with TLS on the same database registers the certificate.
  const refused = await call(`POST ${api}/certificates`, {}, { body: { thumbprint: 'ab'.repeat(32) } });
  expect(refused.type).toContain('#certificate-not-presented');
  called.add(`POST ${api}/certificates`);
  const secure = await startMutualTls({ url: server.env.DATABASE_URL ?? '' });
  const client = secure.authority.issue(['partner']);
  const { thumbprint } = await secure.register(client, keys.ingest);
  await call(`GET ${api}/certificates`);
  await call(`POST ${api}/certificates/{id}/revoke`, { id: thumbprint });
});

test('[OPS5] every operation of the document: was called, and rejects an invalid key', async () => {
  const isOpen = ({ security }: { security: readonly object[] }) => security.length === 0;
  expect(documented.filter(({ operation }) => isOpen(operation)).length).toBeGreaterThan(3);
  expect(documented.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  for (const { name, operation } of documented) if (!isOpen(operation)) await call(name, {}, { key: 'none' });
});

test('[HTTP62] every documented header: was sent in some response', () => {
  // No operation of the document returns 405.
  expect(DOCUMENTED_HEADERS.filter((name) => !seenHeaders.has(name))).toEqual(['allow']);
});
