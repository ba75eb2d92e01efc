import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { PATH, startIngest } from '../support/ingest.ts';

const UNITS = [{ source_id: 'EA', name: 'Each' }];
const SHORT = { correlationWaitMs: 300 };

/** A write whose body stays open until `finish`. */
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

test('[ING10] the first request takes too long: the second gets 503 and can be retried', async () => {
  const { client, port } = await startIngest({ workers: 0, settings: SHORT });
  const partner = await client();
  const id = randomUUID();
  const first = openWrite(port, partner.key, id);
  onTestFinished(() => void first.leave());
  // Until the first one is registered, this write would itself be the first; validate_only then leaves no trace.
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
