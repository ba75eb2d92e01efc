import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { bulkfillErrors, refuse as refuseBulkfill } from '#bulkfill/errors.ts';
import type { TrustProxy } from '#config/parse-values.ts';
import { refuse as refuseIngest } from '#ingest/errors.ts';
import { ApiError } from '#lib/errors/api-error.ts';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import { refuse as refuseSubscribers } from '#subscribers/errors.ts';
import { readRaw, sendRaw, startServer, testSettings } from '../../test/support/http.ts';
import { dialects } from '../../test/support/product.ts';
import { allDialects, exampleSurface, prefixOf } from '../../test/support/surfaces.ts';
import type { RouteGroup } from './route-group.ts';

/** The code in a body of any dialect. */
function codeOf(body: Record<string, unknown>): unknown {
  const { error, type, code } = body as { error?: { code: string }; type?: string; code?: string };
  return error?.code ?? type?.split('#')[1] ?? code;
}

async function expectFault(response: Response, dialect: string, fault: ShellFault): Promise<void> {
  const { codes, shell } = dialects.get(dialect).errors;
  const code = shell[fault];
  expect(codeOf((await response.json()) as Record<string, unknown>)).toBe(code);
  expect(response.status).toBe(codes[code]?.status);
}

const json = (body: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

describe.each(allDialects)('the %s dialect', (dialect) => {
  const prefix = prefixOf(dialect);

  test('[HTTP4] an unknown path: 404; a known path with another method: 405 with Allow', async () => {
    const { url } = await startServer({ surfaces: [exampleSurface(dialect)] });
    await expectFault(await fetch(`${url}${prefix}/nothing`), dialect, 'routeNotFound');
    const upload = { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' };
    await expectFault(await fetch(`${url}${prefix}/nothing`, upload), dialect, 'routeNotFound');
    const refused = await fetch(`${url}${prefix}/things/1`, { method: 'DELETE' });
    expect(refused.headers.get('allow')).toBe('GET, HEAD');
    await expectFault(refused, dialect, 'methodNotAllowed');
    await expectFault(await fetch(`${url}${prefix}/things/1`, upload), dialect, 'methodNotAllowed');
  });

  test('[HTTP9] invalid JSON, deep JSON, another media type and a wrong shape: have different errors', async () => {
    const { url } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const post = (body: string) => fetch(`${url}${prefix}/things`, json(body));
    expect(await (await post('{"name":"ok"}')).json()).toEqual({ name: 'ok' });
    await expectFault(await post('{"name":'), dialect, 'malformed');
    await expectFault(await post('{"name":"a","__proto__":{}}'), dialect, 'malformed');
    await expectFault(await post(`{"name":${'['.repeat(40)}${']'.repeat(40)}}`), dialect, 'malformed');
    await expectFault(await post('{"name":"long"}'), dialect, 'invalidBody');
    await expectFault(await post(''), dialect, 'invalidBody');
    const png = { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' };
    await expectFault(await fetch(`${url}${prefix}/things`, png), dialect, 'malformed');
  });

  test('[HTTP10] a body above the limit, with or without a Content-Length: is rejected', async () => {
    const { url } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const large = JSON.stringify({ name: 'x'.repeat(5_000_000) });
    await expectFault(await fetch(`${url}${prefix}/things`, json(large)), dialect, 'payloadTooLarge');
    const chunked = { ...json(''), body: new Blob([large]).stream(), duplex: 'half' } as RequestInit;
    await expectFault(await fetch(`${url}${prefix}/things`, chunked), dialect, 'payloadTooLarge');
  });

  test('[HTTP12] a bug: the 500 of the dialect, without any detail of the error', async () => {
    const throws = () => new Error('row 7 of jane@example.com broke');
    const { url } = await startServer({ surfaces: [exampleSurface(dialect, { throws })] });
    const response = await fetch(`${url}${prefix}/throws`);
    expect(await response.clone().text()).not.toMatch(/jane|row 7|at /);
    await expectFault(response, dialect, 'internal');
  });

  test('[HTTP13] [HTTP14] an unavailable database or a full disk: 503 with Retry-After', async () => {
    let code = 'ECONNREFUSED';
    const throws = () => Object.assign(new Error('x'), { code });
    const { url } = await startServer({ surfaces: [exampleSurface(dialect, { throws })] });
    const away = await fetch(`${url}${prefix}/throws`);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectFault(away, dialect, 'unavailable');
    code = 'ENOSPC';
    const full = await fetch(`${url}${prefix}/throws`);
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectFault(full, dialect, 'storageFull');
  });

  test('[HTTP8] headers above 16 kB: 431 in the dialect of the path', async () => {
    const { port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const answer = readRaw(
      await sendRaw(
        port,
        `GET ${prefix}/things/1 HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      ),
    );
    expect(answer.status).toBe(431);
    expect(codeOf(answer.body)).toBe(dialects.get(dialect).errors.shell.headersTooLarge);
  });

  test('[HTTP7] any Transfer-Encoding except chunked: is rejected', async () => {
    const { port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const answer = readRaw(
      await sendRaw(
        port,
        `POST ${prefix}/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      ),
    );
    expect([answer.status, codeOf(answer.body)]).toEqual([400, dialects.get(dialect).errors.shell.malformed]);
  });

  test('[HTTP11] a body that does not arrive in time: 408, and the connection is closed', async () => {
    const settings = { ...testSettings, requestTimeoutMs: 1000 };
    const { port } = await startServer({ settings, surfaces: [exampleSurface(dialect)] });
    const head = `POST ${prefix}/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{`;
    const answer = readRaw(await sendRaw(port, head, false));
    expect([answer.status, codeOf(answer.body)]).toEqual([408, dialects.get(dialect).errors.shell.timeout]);
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('[HTTP5] invalid percent-encoding: has its own code; an id of any length: reaches its route', async () => {
    const { url, port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const answer = readRaw(
      await sendRaw(port, `GET ${prefix}/things/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    );
    expect(codeOf(answer.body)).toBe(dialects.get(dialect).errors.shell.badUrl);
    const long = 'a'.repeat(9000);
    expect(await (await fetch(`${url}${prefix}/things/${long}`)).json()).toEqual({ id: long });
  });
});

test('[HTTP3] errors of the three surfaces: have their own envelopes', async () => {
  const waiting = () => refuseBulkfill('HIGH_FAIL_RATIO_COOLDOWN', 'Wait.', { retryAfterSeconds: 7.2 });
  const scope = () =>
    refuseSubscribers('insufficient_scope', undefined, { members: { missing_scopes: ['tags:read'] } });
  const conflict = () => refuseIngest('state-conflict', 'A refresh is running.');
  const { url } = await startServer({
    surfaces: [
      exampleSurface('bulkfill', { throws: waiting }),
      exampleSurface('subscribers', { throws: scope }),
      exampleSurface('ingest', { throws: conflict }),
    ],
  });
  const flat = await fetch(`${url}/v1/bulkfill/throws`);
  expect(await flat.json()).toEqual({
    code: 'HIGH_FAIL_RATIO_COOLDOWN',
    message: 'Wait.',
    retry_after_seconds: 7.2,
  });
  expect([flat.status, flat.headers.get('retry-after')]).toEqual([429, '8']);
  const nested = await fetch(`${url}/v1/throws`);
  expect(await nested.json()).toEqual({
    error: {
      type: 'permission_error',
      code: 'insufficient_scope',
      message: 'The key lacks a scope.',
      missing_scopes: ['tags:read'],
    },
  });
  const problem = await fetch(`${url}/wms-ingest/v1/throws?secret=1`);
  expect(problem.headers.get('content-type')).toBe('application/problem+json');
  expect(await problem.json()).toEqual({
    type: `${url}/docs/errors#state-conflict`,
    title: 'The state of the resource does not allow this',
    status: 409,
    detail: 'A refresh is running.',
    instance: '/wms-ingest/v1/throws',
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('[HTTP3] retry_after_seconds: is in the body for cooldowns only', async () => {
  const throws = () => new ApiError(bulkfillErrors, 'RATE_LIMITED', 'Slower.', { retryAfterSeconds: 9 });
  const { url } = await startServer({ surfaces: [exampleSurface('bulkfill', { throws })] });
  const response = await fetch(`${url}/v1/bulkfill/throws`);
  expect(await response.json()).toEqual({ code: 'RATE_LIMITED', message: 'Slower.' });
  expect(response.headers.get('retry-after')).toBe('9');
});

test.each([
  [400, 'invalid_body', 'invalid_request'],
  [401, 'invalid_api_key', 'authentication_error'],
  [403, 'insufficient_scope', 'permission_error'],
  [404, 'resource_not_found', 'not_found'],
  [405, 'method_not_allowed', 'invalid_request'],
  [409, 'idempotency_key_reused', 'conflict'],
  [413, 'csv_too_large', 'invalid_request'],
  [429, 'rate_limited', 'api_error'],
  [500, 'internal_error', 'api_error'],
  [503, 'storage_full', 'api_error'],
] as const)('[HTTP3] subscribers status %i: code %s has type %s', async (status, code, type) => {
  const throws = () => refuseSubscribers(code);
  const { url } = await startServer({ surfaces: [exampleSurface('subscribers', { throws })] });
  const response = await fetch(`${url}/v1/throws`);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type, code } });
});

test('[HTTP1] [HTTP6] a missing Host or an unknown Expect: has a response in the dialect', async () => {
  const { port } = await startServer({ surfaces: [exampleSurface('bulkfill')] });
  const get = (version: string, ...headers: string[]) =>
    sendRaw(port, [`GET /v1/bulkfill/things/1 HTTP/${version}`, ...headers, '', ''].join('\r\n'));
  const hostless = readRaw(await get('1.1', 'X-Request-Id: mine'));
  expect([hostless.status, codeOf(hostless.body)]).toEqual([400, bulkfillErrors.shell.malformed]);
  expect(hostless.headers.get('x-request-id')).toBe('mine');
  const odd = readRaw(await get('1.1', 'Host: x', 'X-Request-Id: mine', 'Expect: tea', 'Connection: close'));
  expect([odd.status, odd.headers.get('x-request-id')]).toEqual([200, 'mine']);
  expect(await get('1.0')).toMatch(/^HTTP\/1\.1 200 /);
});

test('[HTTP6] unreadable HTTP: 400, and only its own connection is closed', async () => {
  const { port, url } = await startServer({ surfaces: [exampleSurface('bulkfill')] });
  const messages = [
    'GARBAGE\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /v1 HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
    'POST /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    'POST /v1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ];
  for (const message of messages) {
    const answer = await sendRaw(port, message);
    expect(answer, message).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer.toLowerCase()).toContain('connection: close');
  }
  expect((await fetch(`${url}/v1/bulkfill/things/1`)).status).toBe(200);
});

test('[HTTP15] a base path: every route is available with it and without it', async () => {
  const settings = { ...testSettings, basePath: '/tools/rowpress' };
  const { url } = await startServer({ settings, surfaces: [exampleSurface('bulkfill')] });
  for (const path of ['/tools/rowpress/v1/bulkfill/things/1', '/v1/bulkfill/things/1'])
    expect((await fetch(url + path)).status).toBe(200);
  expect((await fetch(`${url}/tools/rowpressx/v1/bulkfill/things/1`)).status).toBe(404);
});

test('[HTTP15] X-Forwarded headers: are used only from trusted proxies', async () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example.com' };
  const typeWith = async (trustProxy: TrustProxy) => {
    const settings = { ...testSettings, trustProxy };
    const { url } = await startServer({ settings, surfaces: [exampleSurface('ingest')] });
    const problem = (await (await fetch(`${url}/wms-ingest/v1/nothing`, { headers })).json()) as {
      type: string;
    };
    return problem.type;
  };
  expect(await typeWith(1)).toBe('https://api.example.com/docs/errors#not-found');
  expect(await typeWith(['127.0.0.1'])).toBe('https://api.example.com/docs/errors#not-found');
  expect(await typeWith(false)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/docs\/errors#not-found$/);
  expect(await typeWith(['10.0.0.1'])).toMatch(/^http:\/\/127\.0\.0\.1/);
});

test('[HTTP15] ROWPRESS_PUBLIC_URL: overrides the address of the request', async () => {
  const settings = { ...testSettings, publicUrl: 'https://rowpress.example.com' };
  const { url } = await startServer({ settings, surfaces: [exampleSurface('ingest')] });
  const problem = await (await fetch(`${url}/wms-ingest/v1/nothing`)).json();
  expect(problem).toMatchObject({ type: 'https://rowpress.example.com/docs/errors#not-found' });
});

test('[HTTP4] HEAD of a stream: sends its headers and ends it, whatever its length', async () => {
  let told = 0;
  const ended = Promise.withResolvers<void>();
  async function* ticks() {
    try {
      for (;;) {
        told += 1;
        yield 'tick\n';
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    } finally {
      ended.resolve();
    }
  }
  const made: Readable[] = [];
  const surface: RouteGroup = {
    prefix: '/v1/bulkfill',
    plugin: async (app) => {
      app.get('/ticks', { config: { public: true } }, async (_request, reply) => {
        const stream = Readable.from(ticks());
        made.push(stream);
        return reply.type('text/event-stream').send(stream);
      });
    },
  };
  const { url } = await startServer({ surfaces: [surface] });
  const response = await fetch(`${url}/v1/bulkfill/ticks`, { method: 'HEAD' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(made.map(({ destroyed }) => destroyed)).toEqual([true]);
  if (told > 0) await ended.promise;
});
