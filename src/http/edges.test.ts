import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { ShellFault } from '#lib/errors/catalogue.ts';
import { readRaw, sendRaw, startServer, testSettings } from '../../test/support/http.ts';
import { dialects } from '../../test/support/product.ts';
import { allDialects, exampleSurface, keyedDialects, prefixOf } from '../../test/support/surfaces.ts';

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n');

function expectFault(raw: string, dialect: string, fault: ShellFault): void {
  const { status, body } = readRaw(raw);
  const { codes, shell } = dialects.get(dialect).errors;
  const code = shell[fault];
  const { error, type, code: flat } = body as { error?: { code: string }; type?: string; code?: string };
  expect(error?.code ?? type?.split('#')[1] ?? flat).toBe(code);
  expect(status).toBe(codes[code]?.status);
}

describe.each(allDialects)('the %s dialect', (dialect) => {
  const prefix = prefixOf(dialect);

  test('[HTTP30] NUL in a path or a query: rejected in the envelope, before a route runs', async () => {
    const { port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const ask = (path: string) => sendRaw(port, get(`${prefix}${path}`, 'Host: x'), false);
    expectFault(await ask('/things/a%00b'), dialect, 'badUrl');
    expectFault(await ask('/things/%00?x=1'), dialect, 'badUrl');
    expectFault(await ask('/things/1?search=%00'), dialect, 'invalidBody');
    expectFault(await ask('/nothing/%00'), dialect, 'routeNotFound');
  });

  test('[HTTP31] two Host headers, even equal ones: 400 and the connection is closed', async () => {
    const { port } = await startServer({ surfaces: [exampleSurface(dialect)] });
    for (const second of ['y', 'x']) {
      const answer = await sendRaw(port, get(`${prefix}/things/1`, 'Host: x', `Host: ${second}`), false);
      expectFault(answer, dialect, 'malformed');
      expect(readRaw(answer).headers.get('connection')).toBe('close');
    }
  });

  test('[HTTP32] a response without a caching header: no-store', async () => {
    const { url } = await startServer({ surfaces: [exampleSurface(dialect)] });
    const response = await fetch(`${url}${prefix}/things/1`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

test.each([
  '/docs/assets/../../package.json',
  '/docs/assets/%2e%2e/%2e%2e/package.json',
  '/docs/assets/..%2f..%2fpackage.json',
  '/docs/assets/.hidden',
  '/docs/assets/nothing',
])('[HTTP34] GET %s: 404 in the envelope', async (path) => {
  const { port } = await startServer();
  expectFault(await sendRaw(port, get(path, 'Host: x'), false), 'bulkfill', 'routeNotFound');
});

describe('connections of one address', () => {
  const openSocket = async (port: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
  const isClosed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

  test('[HTTP35] one connection above the limit: replaces the oldest idle one', async () => {
    const settings = { ...testSettings, connectionsPerAddress: 3 };
    const { port, url } = await startServer({ settings, surfaces: [exampleSurface('bulkfill')] });
    const sockets = [await openSocket(port), await openSocket(port), await openSocket(port)];
    const closed = isClosed(sockets[0] as Socket);
    expect((await fetch(`${url}/v1/bulkfill/things/1`)).status).toBe(200);
    await closed;
    expect(sockets.slice(1).map(({ destroyed }) => destroyed)).toEqual([false, false]);
    for (const socket of sockets) socket.destroy();
  });

  test('[HTTP35] one connection above the limit while all have a request in progress: is closed', async () => {
    const settings = { ...testSettings, connectionsPerAddress: 2 };
    const finish = Promise.withResolvers<void>();
    let waiting = 0;
    const both = Promise.withResolvers<void>();
    const waits = async () => {
      waiting += 1;
      if (waiting === 2) both.resolve();
      await finish.promise;
      return { ok: true };
    };
    const { port } = await startServer({ settings, surfaces: [exampleSurface('bulkfill', { waits })] });
    const answers = [1, 2].map(() => sendRaw(port, get('/v1/bulkfill/waits', 'Host: x'), false));
    await both.promise;
    expect(await sendRaw(port, get('/v1/bulkfill/things/1', 'Host: x'), false)).toBe('');
    finish.resolve();
    for (const answer of answers) expect(readRaw(await answer).status).toBe(200);
  });

  test('[HTTP35] a trusted proxy: is not limited', async () => {
    const settings = { ...testSettings, connectionsPerAddress: 1, trustProxy: ['127.0.0.1'] };
    const { port, url } = await startServer({ settings, surfaces: [exampleSurface('bulkfill')] });
    const sockets = [await openSocket(port), await openSocket(port)];
    expect((await fetch(`${url}/v1/bulkfill/things/1`)).status).toBe(200);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false]);
    for (const socket of sockets) socket.destroy();
  });
});

describe('a body that arrives slowly', () => {
  const settings = { ...testSettings, slowBodyMs: 300 };
  const post = (path: string, authorization = '') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: application/json\r\nContent-Length: 90\r\n\r\n{`;

  test.each(keyedDialects)(
    '[HTTP36] after a rejected key of %s: the connection is closed',
    async (dialect) => {
      const { port } = await startServer({ settings, surfaces: [exampleSurface(dialect)] });
      const answer = await sendRaw(
        port,
        post(`${prefixOf(dialect)}/guarded`, 'Authorization: Bearer x\r\n'),
        false,
      );
      expect(readRaw(answer).status).toBe(401);
    },
  );

  test.each(allDialects)('[HTTP36] on a route of %s without a key: 408', async (dialect) => {
    const { port } = await startServer({ settings, surfaces: [exampleSurface(dialect)] });
    expectFault(await sendRaw(port, post(`${prefixOf(dialect)}/things`), false), dialect, 'timeout');
  });

  test('[HTTP36] with a valid key: is read to its end', async () => {
    const { port } = await startServer({ settings, surfaces: [exampleSurface('subscribers')] });
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(post('/v1/guarded', 'Authorization: Bearer good\r\nConnection: close\r\n'));
    // Two requests without a key time out, one after the other, before the rest is sent.
    for (let window = 0; window < 2; window += 1)
      expect(readRaw(await sendRaw(port, post('/v1/things'), false)).status).toBe(408);
    socket.write(`"name":"ok"${' '.repeat(77)}}`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(readRaw(answer).status).toBe(200);
  });
});
