import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AttackServer, SMALL_SERVER_BYTES, watchHealth } from '../support/attack-server.ts';

/** Deep nesting used to freeze the server for 5 s, escapes for 1.2 s per 24 MB. Generous, because the machine may be shared. */
const LONGEST_FREEZE_MS = 2_500;

let server: AttackServer;
let keys: { readonly subscribers: string; readonly ingest: string };
beforeAll(async () => {
  server = await AttackServer.start();
  keys = {
    subscribers: await server.key('subscribers', 'loop'),
    ingest: await server.key('ingest', 'loop'),
  };
});
afterAll(() => server?.stop());

const MB = 1_000_000;
const fill = (item: string, bytes: number) => `${item},`.repeat(bytes / (item.length + 1)).slice(0, -1);

async function post(path: string, key: string, body: Buffer<ArrayBuffer>): Promise<number> {
  const { status } = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-correlation-id': randomUUID(),
    },
    body,
  });
  return status;
}

test('[HTTP40] an import of 100 MB full of escapes: others are answered meanwhile, memory stays low', async () => {
  const row = `\\u0061@example.com,${'\\u0041'.repeat(30)}\\n`;
  const mappings = '[{"csv_column":"Email","field":{"type":"email"}}]';
  const text = `Email,Name\\n${row.repeat((95 * MB) / row.length)}`;
  // Encoded before the measurement starts, so that this process does not cause the delay.
  const body = Buffer.from(`{"csv_text":"${text}","mappings":${mappings},"dry_run":true}`);
  const longest = watchHealth(server.url);
  expect(await post('/v1/jobs/subscriber-imports', keys.subscribers, body)).toBe(202);
  expect(await longest()).toBeLessThan(LONGEST_FREEZE_MS);
  expect(server.peakResidentBytes()).toBeLessThan(SMALL_SERVER_BYTES);
});

test.each([
  ['one cell of quotes', `Email,Name\\n\\"${'\\"\\"'.repeat(12 * MB)}\\"\\n`],
  ['one column name of quotes', `\\"${'\\"\\"'.repeat(12 * MB)}\\",Email\\n`],
  ['one line of separators', `Email,Name\\n${','.repeat(48 * MB)}\\n`],
])('[HTTP40] an import of %s: others are answered meanwhile, memory stays low', async (_, text) => {
  const mappings = '[{"csv_column":"Email","field":{"type":"email"}}]';
  const body = Buffer.from(`{"csv_text":"${text}","mappings":${mappings},"dry_run":true}`);
  const longest = watchHealth(server.url);
  expect([400, 413]).toContain(await post('/v1/jobs/subscriber-imports', keys.subscribers, body));
  expect(await longest()).toBeLessThan(LONGEST_FREEZE_MS);
  expect(server.peakResidentBytes()).toBeLessThan(SMALL_SERVER_BYTES);
});

test.each([
  ['escapes', fill('{"source_id":"\\u0053","name":"\\u00e9\\u00e9","x":"\\u0041"}', 60 * MB)],
  ['integers of 20 digits', fill('{"source_id":"x","n":12345678901234567890,"a":[1,2,3]}', 24 * MB)],
  ['empty arrays', fill('[]', 8 * MB)],
  ['deep nesting', fill(`${'['.repeat(400_000)}"\\u0041"${']'.repeat(400_000)}`, 24 * MB)],
])('[HTTP40] an ingest bulk load full of %s: others are answered meanwhile', async (_, items) => {
  const body = Buffer.from(`{"items":[${items}]}`);
  const longest = watchHealth(server.url);
  expect(await post('/wms-ingest/v1/master/skus?mode=bulk', keys.ingest, body)).toBe(202);
  expect(await longest()).toBeLessThan(LONGEST_FREEZE_MS);
  expect(server.running).toBe(true);
});
