import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#lib/clock.ts';
import { startTestEngine } from '../../../test/support/engine.ts';
import { type EvilReceiver, evilReceivers } from '../../../test/support/evil-receivers.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { authority, certificate, createTestWebhooks, only } from '../../../test/support/webhooks.ts';
import { handleWebhookTask } from './deliver.ts';
import { type PostOptions, postWebhook } from './post-webhook.ts';

const options = (timeoutMs: number): PostOptions => ({
  allow: { covers: () => true },
  resolve: async () => ['127.0.0.1'],
  timeoutMs,
  ca: authority.ca,
});
const request = (port: number) => ({
  url: `https://hooks.test:${port}/`,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"event":"x"}'),
});

async function start(receiver: EvilReceiver): Promise<number> {
  const running = await receiver.start();
  onTestFinished(() => running.close());
  return running.port;
}

describe('[WHK9] a receiver that misbehaves: ends its own attempt only', () => {
  test.each(evilReceivers)('$kind', async (evil) => {
    const port = await start(evil);
    // Short only if the timeout ends the attempt.
    const result = await postWebhook(request(port), options(evil.hangs ? 1_500 : 10_000));
    expect(result.bytesRead).toBeLessThanOrEqual(64_000);
    if (evil.answered !== undefined) expect(result).toMatchObject({ ok: true, status: evil.answered });
    else expect(result).toMatchObject({ ok: false, error: expect.stringMatching(evil.failure ?? /bug/) });
  });

  test('[WHK8] a redirect: recorded like any other response and not followed', async () => {
    const elsewhere = await startReceiver(certificate, 200);
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const receiver = await startReceiver(certificate, (_, response) =>
        response.writeHead(status, { location: `https://hooks.test:${elsewhere.port}/` }).end(),
      );
      expect(await postWebhook(request(receiver.port), options(5_000))).toMatchObject({
        ok: false,
        status,
        error: `answered ${status} (redirects are not followed)`,
      });
    }
    expect(elsewhere.received).toHaveLength(0);
  });

  test('a name that never resolves', async () => {
    const resolve = () => new Promise<never>(() => {});
    const result = await postWebhook(request(443), { ...options(100), resolve });
    expect(result).toMatchObject({ ok: false, error: 'timeout: the name was not resolved in time' });
  });

  test('a name without an address, and a closed port', async () => {
    const nowhere = await postWebhook(request(443), { ...options(5_000), resolve: async () => [] });
    expect(nowhere).toMatchObject({ ok: false, error: 'unreachable: the name has no address' });
    const closed = await startReceiver(certificate, 200);
    const refused = await postWebhook(request(closed.port), {
      ...options(5_000),
      resolve: async () => ['127.9.9.9'],
    });
    expect(refused).toMatchObject({ ok: false, error: expect.stringMatching(/^unreachable: /) });
  });
});

test('[WHK9] with the real timeout: all end, and twenty good deliveries pass them', async () => {
  const engine = await startTestEngine();
  const { database, queue } = engine.parts;
  const webhooks = await createTestWebhooks({ clock: systemClock, database, queue });
  const good = await startReceiver(certificate, 200);
  const ports = await Promise.all(evilReceivers.map(start));
  const evil = await webhooks.emit({ urls: ports.map((port) => `https://hooks.test:${port}/`) });
  const seconds = new Map<string, number>();
  const running = new Set<string>();
  const goodDone = Promise.withResolvers<number>();
  const allDone = Promise.withResolvers<void>();
  let goodOnes = 0;
  engine.work({
    webhooks: 64,
    deliver: async (deliveryId) => {
      running.add(deliveryId);
      const before = performance.now();
      const { outcome } = await handleWebhookTask(webhooks.parts, { deliveryId });
      running.delete(deliveryId);
      if (evil.deliveryIds.includes(deliveryId)) seconds.set(deliveryId, (performance.now() - before) / 1000);
      else if (outcome === 'delivered') goodOnes += 1;
      if (goodOnes === 20) goodDone.resolve(running.size);
      if (goodOnes === 20 && seconds.size === evil.deliveryIds.length) allDone.resolve();
    },
  });
  for (let i = 0; i < 20; i += 1) await webhooks.emit({ urls: [`https://hooks.test:${good.port}/`] });

  const stillRunning = await goodDone.promise;
  expect(stillRunning).toBeGreaterThanOrEqual(evilReceivers.filter(({ hangs }) => hangs).length);
  await allDone.promise;
  expect(Math.max(...seconds.values())).toBeLessThanOrEqual(60);
  expect(good.received).toHaveLength(20);
  const { rows } = await database.pool.query<{ open: number }>(
    'select count(*) as open from webhook_attempts where finished_at is null',
  );
  expect(only(rows).open).toBe(0);
  expect(engine.errors).toEqual([]);
});
