import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { untilSomebodyWaits } from '../../../test/support/database.ts';
import { startIngest } from '../../../test/support/ingest.ts';

const UNITS = [{ source_id: 'EA', name: 'Each' }];
const SHORT = { correlationWaitMs: 300 };

test('[ING10] the first request runs on another node and takes too long: 503, and later its response', async () => {
  const one = await startIngest({ workers: 0 });
  const other = await startIngest({ workers: 0, address: one.address, settings: SHORT });
  const here = await one.client();
  const there = await other.client();
  await here.send('/master/uoms', [{ source_id: 'KG', name: 'Kilogram' }]);
  const blocker = await one.node.database.pool.connect();
  onTestFinished(() => blocker.release());
  await blocker.query('begin; lock table ingest_items in share mode');
  const id = randomUUID();
  const first = here.send('/master/uoms', UNITS, { id });
  await untilSomebodyWaits(one.node.database.db);
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
