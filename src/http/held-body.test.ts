import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ByteBudget } from '#lib/byte-budget.ts';
import { startServer } from '../../test/support/http.ts';
import type { RouteGroup } from './route-group.ts';

const json = { authorization: 'Bearer good', 'content-type': 'application/json' };
const bodyOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

/** A surface that accepts JSON and responds when the test releases it. */
function holdingSurface() {
  const waiting: (() => void)[] = [];
  const surface: RouteGroup = {
    prefix: '/v1/bulkfill',
    plugin: async (app, { guards }) => {
      app.post('/hold', { bodyLimit: 4_000_000, onRequest: [guards.requireKey('bulkfill')] }, async () => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { ok: true };
      });
    },
  };
  return { surface, waiting };
}

describe('JSON bodies and the memory budget', () => {
  test('[LIM43] a body beyond the budget: 503 with Retry-After, and served after the others have their responses', async () => {
    const { surface, waiting } = holdingSurface();
    const budget = new ByteBudget(2_000_000, 2_000_000);
    const { url } = await startServer({ surfaces: [surface], budget });
    const post = (bytes: number) =>
      fetch(`${url}/v1/bulkfill/hold`, { method: 'POST', headers: json, body: bodyOf(bytes) });
    const first = post(400_000);
    await expect.poll(() => waiting).toHaveLength(1);
    const held = budget.usedBytes;
    expect(held).toBe((400_000 - 64 * 1024) * 4);
    const refused = await post(400_000);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await refused.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(budget.usedBytes).toBe(held);
    waiting.shift()?.();
    expect((await first).status).toBe(200);
    expect(budget.usedBytes).toBe(0);
    const again = post(400_000);
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.shift()?.();
    expect((await again).status).toBe(200);
  });

  test('[LIM43] a body rejected while it arrives: the client can send the rest, and has the response', async () => {
    const { surface } = holdingSurface();
    const budget = new ByteBudget(1000, 1000);
    budget.reserve('other', 1000);
    const { url, port } = await startServer({ surfaces: [surface], budget });
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.on('data', (chunk) => {
      response += chunk;
    });
    await once(socket, 'connect');
    socket.write(
      'POST /v1/bulkfill/hold HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 400000\r\n\r\n',
    );
    socket.write('x'.repeat(300_000));
    await expect.poll(() => budget.refusals).toBe(1);
    // Time enough for a response, which would close the connection.
    await (await fetch(`${url}/healthz`)).text();
    expect(response).toBe('');
    socket.write('x'.repeat(100_000));
    await expect.poll(() => response).toMatch(/^HTTP\/1\.1 503 /);
    expect(budget.refusals).toBe(1);
    socket.destroy();
  });

  test('[LIM43] small bodies: are served while the budget is used up', async () => {
    const { surface, waiting } = holdingSurface();
    const budget = new ByteBudget(1000, 1000);
    budget.reserve('other', 1000);
    const { url } = await startServer({ surfaces: [surface], budget });
    const answer = fetch(`${url}/v1/bulkfill/hold`, { method: 'POST', headers: json, body: bodyOf(60_000) });
    await expect.poll(() => waiting).toHaveLength(1);
    waiting.shift()?.();
    expect((await answer).status).toBe(200);
  });

  test('[LIM44] a client that disconnects while its body is being received: its bytes are released', async () => {
    const { surface } = holdingSurface();
    const budget = new ByteBudget(8_000_000, 8_000_000);
    const { port } = await startServer({ surfaces: [surface], budget });
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'POST /v1/bulkfill/hold HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
    );
    socket.write(`"${'x'.repeat(500_000)}`);
    await expect.poll(() => budget.usedBytes).toBe((500_001 - 64 * 1024) * 4);
    socket.destroy();
    await expect.poll(() => budget.usedBytes).toBe(0);
  });

  test('[LIM44] a client that disconnects while it is served: its bytes are released when its handler ends', async () => {
    const { surface, waiting } = holdingSurface();
    const budget = new ByteBudget(8_000_000, 8_000_000);
    const { url } = await startServer({ surfaces: [surface], budget });
    const leave = new AbortController();
    const answer = fetch(`${url}/v1/bulkfill/hold`, {
      method: 'POST',
      headers: json,
      body: bodyOf(500_000),
      signal: leave.signal,
    }).catch((error: unknown) => error);
    await expect.poll(() => waiting).toHaveLength(1);
    leave.abort();
    await answer;
    expect(budget.usedBytes).toBeGreaterThan(0);
    waiting.shift()?.();
    await expect.poll(() => budget.usedBytes).toBe(0);
  });
});
