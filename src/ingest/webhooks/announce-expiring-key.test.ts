import { expect, test } from 'vitest';
import { warnExpiringKeys } from '#engine/keys/warn-expiring.ts';
import { ManualClock } from '#lib/clock.ts';
import { undocumentedEvent } from '../../../test/support/documented.ts';
import { startIngest } from '../../../test/support/ingest.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { certificate } from '../../../test/support/webhooks.ts';

test('[ING65] a key nears its end: the event goes to receivers that name it, and to no others', async () => {
  const clock = new ManualClock('2026-05-01T00:00:00Z');
  const receiver = await startReceiver(certificate, 200);
  const scene = await startIngest({ clock, webhookAllow: [`hooks.test:${receiver.port}`] });
  const partner = await scene.client({ partner: 'ERP' });
  const url = (path: string) => `https://hooks.test:${receiver.port}/${path}`;
  const silent = await partner.post('/webhooks', { url: url('all') });
  expect(silent.body.events).not.toContain('ingest.credential.expiring');
  await partner.post('/webhooks', { url: url('named'), events: ['ingest.credential.expiring'] });
  await scene.client({ partner: 'ERP', warehouses: ['W1'], days: 30 });
  await scene.client({ partner: 'OTHER', days: 30 });
  clock.advance(20 * 86_400_000);
  await warnExpiringKeys({
    db: scene.node.database.db,
    clock,
    days: [14, 3],
    announce: scene.node.work.announceExpiringKey,
    onWarning: () => {},
  });
  await expect.poll(() => receiver.received.length, { interval: 20, timeout: 20_000 }).toBe(1);
  const { rows } = await scene.node.database.pool.query('select from webhook_deliveries');
  expect(rows).toHaveLength(1);
  const event = JSON.parse(receiver.received[0]?.body.toString() ?? '');
  expect(undocumentedEvent(event.type, event)).toEqual([]);
  expect(event).toMatchObject({
    type: 'ingest.credential.expiring',
    partner_id: 'ERP',
    data: { warehouses: ['W1'], expires_at: '2026-05-31T00:00:00.000Z', within_days: 14 },
  });
});
