import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BulkfillServer, startBulkfillServer } from '../support/bulkfill-server.ts';
import { ConsoleClient } from '../support/console-client.ts';
import { operatorRoutes } from '../support/operator-routes.ts';

let server: BulkfillServer;
beforeAll(async () => {
  server = await startBulkfillServer();
});
afterAll(() => server.stop());

const OPEN = [
  ...['GET /session', 'HEAD /session', 'POST /session', 'GET /settings', 'HEAD /settings'],
  ...['POST /session/passkey', 'POST /session/passkey-options'],
  ...['POST /single-sign-on', 'POST /single-sign-on/session'],
];

it('[CON8] a request without a session: 401 on every route except sign-in and settings', async () => {
  const client = new ConsoleClient(server);
  const routes = await operatorRoutes();
  expect(routes.length).toBeGreaterThan(40);
  const open: string[] = [];
  for (const { method, url } of routes) {
    const { status, body } = await client.request(method, url.replace(':id', 'x'));
    if (status !== 401) open.push(`${method} ${url}`);
    else if (method !== 'HEAD') expect(body.error.code).toBe('SIGN_IN_REQUIRED');
  }
  expect(open.sort()).toEqual([...OPEN].sort());
});

it('[CON8] acting on a surface without a session: 401, even on routes that are public elsewhere', async () => {
  const client = new ConsoleClient(server);
  const headers = { 'x-rowpress-account': 'x' };
  for (const [method, path] of [
    ['GET', '/acting/bulkfill/export-jobs'],
    ['POST', '/acting/bulkfill/export-jobs'],
    ['GET', '/acting/subscribers'],
    ['GET', '/acting/subscribers/openapi.json'],
    ['GET', '/acting/subscribers/subscribers'],
    ['GET', '/acting/ingest/capabilities'],
    ['POST', '/acting/ingest/master/skus'],
  ] as const) {
    const { status, body } = await client.request(method, path, { headers });
    expect([path, status, body.error.code]).toEqual([path, 401, 'SIGN_IN_REQUIRED']);
  }
});

it('[CON8] the public document: shows no operator routes', async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => path.startsWith('/operator'))).toEqual([]);
});
