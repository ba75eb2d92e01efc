import { expect, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { Queue } from './queue.ts';

const MINUTE = 60_000;

for (const [where, skew] of [
  ['ahead of', 55 * MINUTE],
  ['behind', -55 * MINUTE],
] as const)
  test(`[WHK16] a retry: waits for its time, even if the database clock is ${where} this machine`, async () => {
    const { db, pool } = await openTestDatabase();
    const clock = { now: () => new Date(systemClock.now().getTime() - skew) };
    const queue = new Queue(pool, { leaseMs: 10_000, supervise: false, onError: () => {}, clock });
    await queue.start();
    const at = (ms: number) => new Date(clock.now().getTime() + ms);
    await db.transaction().execute(async (tx) => {
      await queue.addWebhook(tx, 'now', at(-MINUTE), 0);
      await queue.addWebhook(tx, 'later', at(5 * MINUTE), 0);
    });
    expect((await queue.claim('webhook', 10)).map(({ data }) => data.deliveryId)).toEqual(['now']);
    const { rows } = await pool.query<{ minutes: number }>(
      `select round(extract(epoch from start_after - created_on) / 60)::int as minutes
       from pgboss.job where name = 'webhook' and state = 'created'`,
    );
    expect(rows).toEqual([{ minutes: 5 }]);
    await queue.stop();
  });
