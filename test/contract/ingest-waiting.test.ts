import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { PATH, startIngest } from '../support/ingest.ts';

const UNITS = [{ source_id: 'EA', name: 'Each' }];
const SHORT = { correlationWaitMs: 300 };

/** A write whose body does not end before `finish`. */
function openWrite(port: number, key: string, id: string) {
  const write = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: `${PATH}/master/uoms`,
    headers: { authorization: `Bearer ${key}`, 'x-correlation-id': id, 'content-type': 'application/json' },
  });
  const answer = new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    write.on('error', reject).on('response', async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
    });
  });
  const body = JSON.stringify({ items: UNITS });
  write.write(body.slice(0, 10));
  return { answer, finish: () => write.end(body.slice(10)), leave: () => write.destroy() };
}

test('[ING10] who waits too long for the first request gets 503 and may ask again', async () => {
  const { client, port } = await startIngest({ workers: 0, settings: SHORT });
  const partner = await client();
  const id = randomUUID();
  const first = openWrite(port, partner.key, id);
  onTestFinished(() => void first.leave());
  // Until the first one has been seen, another would be the first itself; validate_only leaves no trace then.
  let refused = await partner.send('/master/uoms?validate_only=true', UNITS, { id });
  for (let round = 0; round < 100 && refused.status === 200; round += 1)
    refused = await partner.send('/master/uoms?validate_only=true', UNITS, { id });
  expect([refused.status, refused.headers.get('retry-after'), refused.body.type.split('#')[1]]).toEqual([
    503,
    '1',
    'service-unavailable',
  ]);
  first.finish();
  const answer = await first.answer;
  expect(answer.status).toBe(200);
  expect((await partner.send('/master/uoms', UNITS, { id })).text).toBe(answer.body);
});

test('[ING10] the same holds when the first request runs on another node', async () => {
  const one = await startIngest({ workers: 0 });
  const other = await startIngest({ workers: 0, address: one.address, settings: SHORT });
  const here = await one.client();
  const there = await other.client();
  await here.send('/master/uoms', [{ source_id: 'KG', name: 'Kilogram' }]);
  const blocker = await one.database.pool.connect();
  onTestFinished(() => blocker.release());
  await blocker.query('begin; lock table ingest_items in share mode');
  const id = randomUUID();
  const first = here.send('/master/uoms', UNITS, { id });
  const isWaiting = async () =>
    (await blocker.query("select from pg_locks where not granted and relation = 'ingest_items'::regclass"))
      .rows.length > 0;
  for (let round = 0; round < 500 && !(await isWaiting()); round += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const refused = await there.send('/master/uoms', UNITS, { id });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  await blocker.query('commit');
  const answer = await first;
  expect(answer.status).toBe(200);
  const again = await there.send('/master/uoms', UNITS, { id });
  expect([again.status, again.text]).toEqual([200, answer.text]);
  expect((await here.get('/master/uoms/EA/history')).body.data).toHaveLength(1);
  expect([...one.errors, ...other.errors]).toEqual([]);
});
