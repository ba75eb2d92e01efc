import { expect, test } from 'vitest';
import { ManualClock, systemClock } from '#lib/clock.ts';
import { count, startTestEngine } from '../../../test/support/engine.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { certificate, createTestWebhooks, only } from '../../../test/support/webhooks.ts';
import { handleWebhookTask } from './deliver.ts';
import { reconcileWebhooks } from './reconcile.ts';

test('[WHK15] [WHK21] through the real queue: delivered once', async () => {
  const engine = await startTestEngine();
  const { database, queue } = engine.parts;
  const webhooks = await createTestWebhooks({ clock: systemClock, database, queue });
  const receiver = await startReceiver(certificate, 200);
  const ended = Promise.withResolvers<unknown>();
  engine.work({
    deliver: async (deliveryId) => ended.resolve(await handleWebhookTask(webhooks.parts, { deliveryId })),
  });
  await webhooks.emit({ urls: [`https://hooks.test:${receiver.port}/`] });
  expect(await ended.promise).toEqual({ outcome: 'delivered' });
  expect(receiver.received).toHaveLength(1);
  expect(engine.errors).toEqual([]);
});

test('[WHK21] a due delivery whose queue entry was lost: gets a new one; others do not', async () => {
  const engine = await startTestEngine();
  const clock = new ManualClock('2026-03-01T12:00:00.000Z');
  const { database, queue } = engine.parts;
  const webhooks = await createTestWebhooks({ clock, database, queue });
  const receiver = await startReceiver(certificate, 200);
  const url = `https://hooks.test:${receiver.port}/`;
  const kept = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  const lost = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  await database.pool.query('delete from pgboss.job where singleton_key = $1', [lost]);

  expect(await reconcileWebhooks(webhooks.parts), 'not overdue yet').toBe(0);
  clock.advance(31_000);
  expect(await reconcileWebhooks(webhooks.parts)).toBe(1);
  expect(await reconcileWebhooks(webhooks.parts), 'it has an entry now').toBe(0);
  const entries = 'select count(*) from pgboss.job where singleton_key = $1';
  expect(await count(engine, entries, [lost])).toBe(1);
  expect(await count(engine, entries, [kept])).toBe(1);
  expect(await webhooks.attempt(lost)).toEqual({ outcome: 'delivered' });
  expect(receiver.received).toHaveLength(1);
});

test('[WHK9] a long backlog of one account: the first delivery of another account comes before it', async () => {
  const engine = await startTestEngine();
  const { database, queue } = engine.parts;
  const busy = await createTestWebhooks({ clock: systemClock, database, queue });
  const other = await createTestWebhooks({ clock: systemClock, database, queue });
  for (let i = 0; i < 30; i += 1) await busy.emit({ urls: ['https://hooks.test/'] });
  const first = only((await other.emit({ urls: ['https://hooks.test/'] })).deliveryIds);
  const claimed = await queue.claim('webhook', 2);
  expect(claimed.map((task) => task.data.deliveryId)).toContain(first);
});
