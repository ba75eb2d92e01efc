import type { IncomingMessage } from 'node:http';
import { request, type ServerOptions } from 'node:https';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import Fastify, { type FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../../test/support/certificates.ts';
import { type Api, readJson } from './api.ts';
import { ownServerApi } from './own-server-api.ts';

/** A server whose `/outer` calls the route `inner` of the same server with `call`. Returns its address. */
async function startWith(
  inner: (app: FastifyInstance) => unknown,
  call: (api: Api, signal: AbortSignal) => Promise<unknown>,
  { basePath = '', ...options }: { basePath?: string; https?: ServerOptions } = {},
): Promise<string> {
  const app = Fastify({
    ...options,
    genReqId: ({ headers }: IncomingMessage) => String(headers['x-request-id'] ?? 'outer-1'),
  } as object) as FastifyInstance;
  onTestFinished(() => app.close());
  app.get('/outer', async (request) =>
    call(ownServerApi(app, request, { publicUrl: undefined, basePath }), AbortSignal.timeout(20_000)),
  );
  inner(app);
  return app.listen({ host: '127.0.0.1', port: 0 });
}

test('[MCP4] a call of a tool: has the key, the address and the request id of the caller', async () => {
  const url = await startWith(
    (app) =>
      app.get('/v1/bulkfill/who', async ({ headers, ip, id, query, raw }) => ({
        ip,
        id,
        query,
        key: headers.authorization,
        host: raw.headersDistinct.host,
      })),
    (api, signal) => readJson({ api, signal }, '/who', { limit: 3 }),
  );
  const headers = { authorization: 'Bearer abc', 'x-request-id': 'r-1' };
  expect(await (await fetch(`${url}/outer`, { headers })).json()).toEqual({
    ip: '127.0.0.1',
    id: 'r-1',
    query: { limit: '3' },
    key: 'Bearer abc',
    host: [new URL(url).host],
  });
});

test('[MCP4] a server with TLS below a base path: is called behind the decryption, with the links of its address', async () => {
  const authority = createAuthority();
  const url = await startWith(
    (app) => app.get('/tools/v1/bulkfill/who', async ({ protocol, ip }) => ({ protocol, ip })),
    async (api, signal) => ({ base: api.baseUrl, ...(await readJson<object>({ api, signal }, '/who')) }),
    { basePath: '/tools', https: authority.issue(['127.0.0.1']) },
  );
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(`${url}/outer`, { ca: authority.ca, agent: false }, resolve).on('error', reject).end();
  });
  expect(await json(answer)).toEqual({ base: `${url}/tools`, protocol: 'https', ip: '127.0.0.1' });
});

test('[MCP17] a stream that the tool stops reading: its request ends', async () => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const url = await startWith(
    (app) =>
      app.get('/v1/bulkfill/endless', async (_request, reply) => {
        reply.raw.once('close', resolve);
        const stream = new Readable({ read: () => {} });
        stream.push('tick');
        return reply.send(stream);
      }),
    async (api, signal) => {
      const { body } = await api.fetch('/v1/bulkfill/endless', { method: 'GET', headers: {}, signal });
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return { first: new TextDecoder().decode(value) };
    },
  );
  expect(await (await fetch(`${url}/outer`)).json()).toEqual({ first: 'tick' });
  await ended;
});

test('[MCP17] a call that is aborted while the server works: its request ends', async () => {
  const abort = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const url = await startWith(
    (app) =>
      app.get('/v1/bulkfill/slow', (_request, reply) => {
        reply.raw.once('close', resolve);
        abort.abort();
      }),
    async (api) => {
      const waiting = api.fetch('/v1/bulkfill/slow', { method: 'GET', headers: {}, signal: abort.signal });
      return { failed: await waiting.then(() => false).catch(() => true) };
    },
  );
  expect(await (await fetch(`${url}/outer`)).json()).toEqual({ failed: true });
  await ended;
});
