import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { retryOfStatus } from '../../clients/typescript/src/retry-of-status.ts';
import { RETRY_TABLE } from '../../clients/typescript/src/retry-table.ts';
import { Rowpress, RowpressError } from '../../clients/typescript/src/rowpress.ts';
import { createAuthority } from '../support/certificates.ts';
import { drop, json, type Reply, startScriptedServer } from '../support/scripted-server.ts';

const JOB = '0190d8a3-0000-7000-8000-000000000001';
const job = { job_id: JOB, status: 'completed', created_at: '2026-01-01T00:00:00.000Z' };
const input = { pdf: new Uint8Array([1]), package: new Uint8Array([2]), rows: [], maxFailedRowPercent: 0 };
const rowpress = (baseUrl: string, more: object = {}) => new Rowpress({ baseUrl, apiKey: 'key', ...more });
const failureOf = async (promise: Promise<unknown>): Promise<RowpressError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RowpressError)) throw new Error(`not a RowpressError: ${error}`);
  return error;
};

test('[SDK1] a request that is retried: keeps its key, its request id and its body', async () => {
  const busy = json(503, { code: 'SERVICE_UNAVAILABLE', message: 'Later.' });
  const { url, received } = await startScriptedServer(drop, busy, json(200, job));
  const done = await rowpress(url).bulkfill.createAndWait(input);
  expect(done).toEqual({ jobId: JOB, status: 'completed', createdAt: job.created_at });
  expect(received).toHaveLength(3);
  const sent = received.map(({ headers, body }) => [
    headers['idempotency-key'],
    headers['x-request-id'],
    body.toString().replaceAll(/rowpress-[0-9a-f-]{36}/g, 'boundary'),
  ]);
  expect(sent[0]?.[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(sent[1]).toEqual(sent[0]);
  expect(sent[2]).toEqual(sent[0]);
});

test('[SDK1] keys of the caller: are sent as given, and two calls without one have different keys', async () => {
  const written = json(200, { results: [], summary: {} });
  const { url, received } = await startScriptedServer(json(200, job), written, json(200, job));
  const { bulkfill, ingest } = rowpress(url);
  await bulkfill.create(input, { idempotencyKey: 'order-1', requestId: 'trace-1' });
  await ingest.upsert('master/skus', [{ source_id: 'A' }], { correlationId: 'c-1', warehouseId: 'W1' });
  await bulkfill.create(input);
  await bulkfill.create(input);
  const [mine, item, first, second] = received.map(({ headers }) => headers);
  expect(mine).toMatchObject({
    'idempotency-key': 'order-1',
    'x-request-id': 'trace-1',
    authorization: 'Bearer key',
  });
  expect(item).toMatchObject({ 'x-correlation-id': 'c-1', 'x-warehouse-id': 'W1' });
  expect(first?.['idempotency-key']).not.toBe(second?.['idempotency-key']);
});

test('[SDK2] an error that must not be retried: is thrown after one attempt', async () => {
  const refusals = [
    json(400, { code: 'INVALID_FIELD', message: 'No.' }),
    json(409, { code: 'IDEMPOTENCY_KEY_PAYLOAD_MISMATCH', message: 'Other body.', differs_in: ['rows'] }),
    json(500, { code: 'STORED_DATA_DAMAGED', message: 'Damaged.' }),
    json(404, 'not an object'),
  ];
  const expected = [
    ['INVALID_FIELD', 400, 'no'],
    ['IDEMPOTENCY_KEY_PAYLOAD_MISMATCH', 409, 'new-key'],
    ['STORED_DATA_DAMAGED', 500, 'no'],
    ['HTTP_404', 404, 'no'],
  ];
  for (const [index, refusal] of refusals.entries()) {
    const { url, received } = await startScriptedServer(refusal);
    const error = await failureOf(rowpress(url).bulkfill.create(input, { idempotencyKey: 'k' }));
    expect([error.code, error.status, error.retry]).toEqual(expected[index]);
    expect(error.requestKey).toBe('k');
    expect(received).toHaveLength(1);
    if (error.status === 409) expect(error.details).toEqual({ differsIn: ['rows'] });
  }
});

test('[SDK2] Retry-After: is waited for, and a longer one than maxRetryAfterSeconds is thrown at once', async () => {
  const limited = json(429, { code: 'RATE_LIMITED', message: 'Slow down.' }, { 'retry-after': '1' });
  const { url, received } = await startScriptedServer(limited, json(200, job));
  const started = performance.now();
  await rowpress(url).bulkfill.get(JOB);
  expect(performance.now() - started).toBeGreaterThan(990);
  expect(received).toHaveLength(2);

  const cooldown = { code: 'HIGH_FAIL_RATIO_COOLDOWN', message: 'Paused.', retry_after_seconds: 600 };
  const paused = await startScriptedServer(json(429, cooldown, { 'retry-after': '600' }));
  const error = await failureOf(rowpress(paused.url).bulkfill.create(input));
  expect(error).toMatchObject({
    code: 'HIGH_FAIL_RATIO_COOLDOWN',
    retry: 'same-key',
    retryAfterSeconds: 600,
  });
  expect(paused.received).toHaveLength(1);
});

test('[SDK2] retries: end after the given number, and the last error is thrown', async () => {
  const { url, received } = await startScriptedServer(drop);
  const error = await failureOf(rowpress(url, { retries: 2 }).bulkfill.get(JOB));
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', status: 0, retry: 'same-key' });
  expect(received).toHaveLength(3);
  const proxy = await startScriptedServer(json(502, 'bad gateway'));
  expect(await failureOf(rowpress(proxy.url, { retries: 1 }).bulkfill.get(JOB))).toMatchObject({
    code: 'HTTP_502',
    retry: 'same-key',
  });
  expect(proxy.received).toHaveLength(2);
});

test('[SDK2] the table of the client: agrees with docs/errors.json for every code', () => {
  const errors = JSON.parse(readFileSync('docs/errors.json', 'utf8')) as Record<
    string,
    Record<string, { status: number; retry: string }>
  >;
  for (const [surface, table] of Object.entries(RETRY_TABLE))
    for (const [code, { status, retry }] of Object.entries(errors[surface] ?? {}))
      expect([code, table[code] ?? retryOfStatus(status)]).toEqual([code, retry]);
  expect(retryOfStatus(425)).toBe('same-key');
});

test('[SDK3] a rotation of a secret: is not repeated after a broken connection', async () => {
  const { url, received } = await startScriptedServer(drop);
  await failureOf(rowpress(url).subscribers.webhooks.rotateSecret('w'));
  expect(received).toHaveLength(1);
});

test('[SDK3] a delete whose first response is lost: the 404 of the retry is a success', async () => {
  const gone = json(404, { error: { type: 'not_found', code: 'resource_not_found', message: 'Gone.' } });
  const { url } = await startScriptedServer(drop, gone);
  await rowpress(url).subscribers.tags.delete('t');
  const never = await startScriptedServer(gone);
  const error = await failureOf(rowpress(never.url).subscribers.tags.delete('t'));
  expect(error).toMatchObject({ code: 'resource_not_found', status: 404 });
});

test('[SDK4] an attempt without progress: times out after timeoutMs and is retried', async () => {
  const { url, received } = await startScriptedServer(() => {}, json(200, job));
  await rowpress(url, { timeoutMs: 150 }).bulkfill.get(JOB);
  expect(received).toHaveLength(2);
  const silent = await startScriptedServer(() => {});
  const error = await failureOf(rowpress(silent.url, { timeoutMs: 50, retries: 0 }).bulkfill.get(JOB));
  expect(error).toMatchObject({ code: 'TIMEOUT', status: 0, retry: 'same-key' });
});

test('[SDK4] a signal: ends a request, a pause before a retry and a wait with its reason', async () => {
  const open = json(200, { ...job, status: 'processing' });
  const busy = json(503, { code: 'SERVICE_UNAVAILABLE', message: 'Later.' }, { 'retry-after': '60' });
  for (const reply of [() => {}, busy, open]) {
    const { url, received } = await startScriptedServer(reply);
    const leave = new AbortController();
    const waiting = rowpress(url).bulkfill.wait(JOB, { signal: leave.signal });
    await expect.poll(() => received.length).toBeGreaterThan(0);
    leave.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  }
});

test('[SDK5] a job that fails within the wait: is returned although the status is 500', async () => {
  const failed = { ...job, status: 'failed', error: { code: 'EXPORT_FAILED', message: 'The job failed.' } };
  const { url, received } = await startScriptedServer(json(500, failed));
  const done = await rowpress(url).bulkfill.createAndWait(input);
  expect(done).toMatchObject({ status: 'failed', error: { code: 'EXPORT_FAILED' } });
  expect(received).toHaveLength(1);
});

test('[SDK9] errors of the three surfaces: have the same members', async () => {
  const id = { 'x-request-id': 'trace-9' };
  const bulkfill = await startScriptedServer(json(422, { code: 'NO_ROWS', message: 'No rows.' }, id));
  expect(await failureOf(rowpress(bulkfill.url).bulkfill.create(input))).toMatchObject({
    name: 'RowpressError',
    code: 'NO_ROWS',
    status: 422,
    message: 'No rows.',
    requestId: 'trace-9',
    retry: 'no',
  });
  const body = {
    error: { type: 'invalid_request', code: 'invalid_body', message: 'Bad.', details: { field: 'a' } },
  };
  const subscribers = await startScriptedServer(json(400, body, { 'x-mailrith-request-id': 'req_1' }));
  expect(await failureOf(rowpress(subscribers.url).subscribers.get('x'))).toMatchObject({
    code: 'invalid_body',
    message: 'Bad.',
    requestId: 'req_1',
    details: { details: { field: 'a' } },
  });
  const problem = {
    type: 'https://x.example/docs#business-invalid',
    title: 'Invalid',
    status: 422,
    detail: 'Empty.',
    trace_id: 'abc',
  };
  const ingest = await startScriptedServer(json(422, problem));
  expect(await failureOf(rowpress(ingest.url).ingest.upsert('master/skus', []))).toMatchObject({
    code: 'business-invalid',
    message: 'Empty.',
    requestId: 'abc',
  });
});

test('[SDK20] a response that is not of this API, and input that cannot be sent: fail at once', async () => {
  const page: Reply = (_received, res) =>
    void res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
  const moved: Reply = (_received, res) =>
    void res.writeHead(308, { location: 'https://new.example/' }).end();
  for (const reply of [page, moved]) {
    const { url, received } = await startScriptedServer(reply);
    const error = await failureOf(rowpress(url).bulkfill.create(input));
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', retry: 'no' });
    expect(error.message).toMatch(reply === moved ? /new\.example/ : /text\/html/);
    expect(received).toHaveLength(1);
  }
  const { url, received } = await startScriptedServer(json(200, job));
  await expect(rowpress(url, { apiKey: 'a\nb' }).bulkfill.get(JOB)).rejects.toThrow(TypeError);
  expect(() => new Rowpress({ baseUrl: 'localhost:8080' })).toThrow('baseUrl must be the http or https URL');
  await expect(rowpress(url).bulkfill.create({ ...input, pdf: '/missing.pdf' })).rejects.toThrow('ENOENT');
  expect(received).toEqual([]);
});

test('[SDK20] a certificate that is not trusted: fails at once', async () => {
  const authority = createAuthority();
  const server = createServer(authority.issue(['127.0.0.1']), (_req, res) => void res.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const error = await failureOf(rowpress(url).bulkfill.get(JOB));
  expect(error).toMatchObject({ code: 'CONNECTION_FAILED', retry: 'no', status: 0 });
  expect(error.message).toMatch(/certificate/);
  expect(connections).toBe(1);
});
