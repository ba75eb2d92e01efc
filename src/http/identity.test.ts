import { expect, test } from 'vitest';
import { readRaw, sendRaw, startServer } from '../../test/support/http.ts';
import { exampleSurface } from '../../test/support/surfaces.ts';

const UUID4 = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

test('[HTTP1] a valid X-Request-Id: is returned; an invalid one: is replaced', async () => {
  const { url, port } = await startServer({ surfaces: [exampleSurface('bulkfill')] });
  const idFor = async (value?: string) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'x-request-id': value };
    const response = await fetch(`${url}/v1/bulkfill/things/1`, { headers });
    return response.headers.get('x-request-id');
  };
  const made = new RegExp(`^trace-${UUID4}$`);
  expect(await idFor('Order_7.retry:2')).toBe('Order_7.retry:2');
  expect(await idFor('a'.repeat(128))).toBe('a'.repeat(128));
  for (const bad of [undefined, '', 'a'.repeat(129), 'a b', 'a,b', 'ü'])
    expect(await idFor(bad)).toMatch(made);
  const twice = await sendRaw(
    port,
    'GET /v1/bulkfill/nothing HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\nX-Request-Id: a\r\nConnection: close\r\n\r\n',
  );
  expect(readRaw(twice).headers.get('x-request-id')).toMatch(made);
});

test('[HTTP1] every response, even to rejected and unreadable requests: contains the id', async () => {
  const { url, port } = await startServer({
    surfaces: [exampleSurface('bulkfill', { throws: () => new Error('bug: x') })],
  });
  const headers = { 'x-request-id': 'mine' };
  for (const path of ['/things/1', '/nothing', '/throws', '/guarded'])
    expect((await fetch(`${url}/v1/bulkfill${path}`, { headers })).headers.get('x-request-id')).toBe('mine');
  const bad = await sendRaw(port, 'GET /v1/bulkfill/x HTTP/1.1\r\nBad Header\r\n\r\n');
  expect(readRaw(bad).headers.get('x-request-id')).toMatch(/^trace-/);
});

test('[HTTP2] subscribers: returns x-mailrith-request-id, or creates one', async () => {
  const { url } = await startServer({ surfaces: [exampleSurface('subscribers')] });
  const given = await fetch(`${url}/v1/things/1`, { headers: { 'x-mailrith-request-id': 'req_1' } });
  expect(given.headers.get('x-mailrith-request-id')).toBe('req_1');
  const made = await fetch(`${url}/v1/things/1`);
  expect(made.headers.get('x-mailrith-request-id')).toMatch(new RegExp(`^req_${UUID4}$`));
});

test('[HTTP2] ingest: continues a W3C trace, names it in problems, and returns the correlation id', async () => {
  const { url } = await startServer({ surfaces: [exampleSurface('ingest')] });
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const get = (headers: Record<string, string>) => fetch(`${url}/wms-ingest/v1/nothing`, { headers });
  const continued = await get({ traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-correlation-id': 'c-1' });
  expect(continued.headers.get('traceparent')).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  expect(continued.headers.get('traceparent')).not.toContain('00f067aa0ba902b7');
  expect(continued.headers.get('x-correlation-id')).toBe('c-1');
  expect(await continued.json()).toMatchObject({ trace_id: trace });
  for (const bad of [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${trace}-00f067aa0ba902b7-01`, 'x']) {
    const fresh = await get({ traceparent: bad });
    const { trace_id } = (await fresh.json()) as { trace_id: string };
    expect(fresh.headers.get('traceparent')).toMatch(new RegExp(`^00-${trace_id}-[0-9a-f]{16}-00$`));
    expect(trace_id).not.toBe(trace);
  }
});
