import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger } from '#lib/logger.ts';
import { startServer } from '../../test/support/http.ts';
import { exampleSurface } from '../../test/support/surfaces.ts';
import { createMetrics } from './metrics.ts';

test('[OPS1] /healthz: 200 while the process runs, even if all other systems are unavailable', async () => {
  const { url } = await startServer({ health: async () => ({ database: 'no answer' }) });
  const response = await fetch(`${url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }]);
});

test('[OPS2] /readyz: 200 if every part is healthy, else 503 with Retry-After and the reason', async () => {
  let database: string | undefined;
  const { url } = await startServer({ health: async () => ({ database, blobs: undefined }) });
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: 'ready', checks: { database: 'ok', blobs: 'ok' } },
  ]);
  database = 'no answer within 2 s';
  const away = await fetch(`${url}/readyz`);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await away.json()).toEqual({ status: 'not ready', checks: { database, blobs: 'ok' } });
});

test('[OPS2] /readyz while the server drains: 503', async () => {
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const health = async () => {
    entered.resolve();
    await release.promise;
    return {};
  };
  const { url, drain } = await startServer({ health });
  const asked = fetch(`${url}/readyz`);
  await entered.promise;
  const drained = drain(30_000);
  release.resolve();
  const response = await asked;
  expect([response.status, await response.json()]).toEqual([503, { status: 'draining', checks: {} }]);
  await drained;
});

test('[OPS3] /metrics: requests by route pattern, counters, and gauges read at scrape time', async () => {
  const registry = createMetrics();
  const { metrics } = registry;
  let depth = 3;
  registry.addGauges(async () => [
    { name: 'rowpress_queue_depth', labels: { queue: 'slice' }, value: depth },
  ]);
  registry.addGauges(async () => {
    throw new Error('the database is unavailable');
  });
  const { url } = await startServer({ registry, metrics, surfaces: [exampleSurface('bulkfill')] });
  await fetch(`${url}/v1/bulkfill/things/secret-id`);
  await fetch(`${url}/v1/bulkfill/guarded`);
  await fetch(`${url}/v1/bulkfill/no-such-path?token=s3cret`);
  metrics.count('rowpress_rows_total', { kind: 'bulkfill.export', outcome: 'done' }, 7);
  const first = await (await fetch(`${url}/metrics`)).text();
  expect(first).toContain(
    'rowpress_http_request_duration_seconds_count{method="GET",route="/v1/bulkfill/things/:id",status="200"} 1',
  );
  expect(first).toContain('route="none",status="404"');
  expect(first).toContain('rowpress_http_denials_total{surface="bulkfill",reason="keyRequired"} 1');
  expect(first).toContain('rowpress_rows_total{kind="bulkfill.export",outcome="done"} 7');
  expect(first).toContain('rowpress_queue_depth{queue="slice"} 3');
  expect(first).not.toMatch(/secret-id|s3cret|no-such-path/);
  depth = 0;
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await response.text()).toContain('rowpress_queue_depth{queue="slice"} 0');
});

test('[HTTP18] a request: is logged with its id, route, status and account, without path, query or key', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: 'debug', pretty: false, destination });
  const throws = () => new Error('row of jane@example.com');
  const { url } = await startServer({ log, surfaces: [exampleSurface('bulkfill', { throws })] });
  const headers = { authorization: 'Bearer good', 'x-request-id': 'mine' };
  await fetch(`${url}/v1/bulkfill/guarded?token=s3cret`, { headers });
  await fetch(`${url}/v1/bulkfill/things/a-token-in-the-path`, { headers });
  await fetch(`${url}/v1/bulkfill/throws`, { headers });
  const text = () => lines.join('');
  await expect.poll(text).toContain('"route":"/v1/bulkfill/throws"');
  expect(text()).not.toMatch(/s3cret|a-token|jane|Bearer|good/);
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.find(({ route }) => route === '/v1/bulkfill/guarded')).toMatchObject({
    level: 'info',
    requestId: 'mine',
    method: 'GET',
    status: 200,
    account: 'demo',
    keyId: 'k1',
  });
  expect(entries.find(({ msg }) => msg === 'request failed')).toMatchObject({
    requestId: 'mine',
    code: 'INTERNAL_ERROR',
    err: { type: 'Error' },
  });
});

test('[OPS4] the first page: loads nothing from other servers and runs no script', async () => {
  const { url } = await startServer();
  const response = await fetch(`${url}/`);
  const html = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; /,
  );
  expect(html).toContain('rowpress keys create');
  for (const path of ['/docs', '/openapi.json', '/readyz']) expect(html).toContain(`href="${path}"`);
  expect(html).not.toMatch(/<script|https?:\/\//);
});

test('[OPS4] other responses: the policy forbids everything in a browser', async () => {
  const { url } = await startServer({ surfaces: [exampleSurface('bulkfill')] });
  for (const path of ['/v1/bulkfill/things/1', '/v1/bulkfill/nothing', '/nothing']) {
    const { headers } = await fetch(`${url}${path}`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBeNull();
  }
});
