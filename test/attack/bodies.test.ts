import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackServer, SMALL_SERVER_BYTES, watchHealth } from '../support/attack-server.ts';

let server: AttackServer;
beforeAll(async () => {
  server = await AttackServer.start();
});
afterAll(() => server?.stop());

/** Sends a body in pieces until it is complete or the server stops reading. Returns the status, or 'closed'. */
function flood(method: string, path: string, megabytes: number, type: string): Promise<number | 'closed'> {
  const piece = Buffer.alloc(1024 ** 2, '0');
  return new Promise((resolve) => {
    const outgoing = request(
      `${server.url}${path}`,
      { method, headers: { 'content-type': type, 'content-length': megabytes * piece.length } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
        outgoing.destroy();
      },
    );
    outgoing.on('error', () => resolve('closed'));
    let sent = 0;
    const send = () => {
      while (!outgoing.destroyed && sent < megabytes) {
        sent += 1;
        if (!outgoing.write(piece)) return void outgoing.once('drain', send);
      }
      if (!outgoing.destroyed) outgoing.end();
    };
    send();
  });
}

test.each([
  ['PUT', '/v1/uploads/nosuchtoken', 'application/json'],
  ['POST', '/v1/uploads/nosuchtoken', 'application/json'],
  ['POST', '/v1/uploads/nosuchtoken', 'multipart/form-data; boundary=x'],
  ['POST', '/v1/jobs/subscriber-imports', 'application/json'],
  ['POST', '/v1/bulkfill/export-jobs', 'multipart/form-data; boundary=x'],
  ['POST', '/wms-ingest/v1/master/skus', 'application/json'],
  ['POST', '/operator/v1/session', 'application/json'],
])('[SUB44] 450 MB to %s %s as %s without a key: refused, memory stays low', async (method, path, type) => {
  const status = await flood(method, path, 450, type);
  expect([400, 401, 403, 404, 413, 415, 'closed']).toContain(status);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect(server.peakResidentBytes()).toBeLessThan(SMALL_SERVER_BYTES);
});

test('[CON6] 20 sign-ins of 4 MB full of escapes at once: the server answers others meanwhile', async () => {
  const body = JSON.stringify({ token: 'x' }).replace('"x"', `"${'\\u0041'.repeat(700_000)}"`);
  const longest = watchHealth(server.url);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${server.url}/operator/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).then(
        ({ status }) => status,
        () => 'closed',
      ),
    ),
  );
  expect(answers.filter((status) => ![413, 429, 'closed'].includes(status))).toEqual([]);
  // Without the limit, the same requests froze the server for 39 s.
  expect(await longest()).toBeLessThan(5000);
});
