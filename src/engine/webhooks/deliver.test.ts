import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '#lib/clock.ts';
import { type FaultPoint, onFaultPoint } from '#lib/fault-points.ts';
import { findWebhookDelivery, listAttempts } from '#storage/webhooks.ts';
import { schemeNamed } from '../../../test/support/product.ts';
import { testServices } from '../../../test/support/services.ts';
import { startReceiver } from '../../../test/support/webhook-receiver.ts';
import { certificate, createTestWebhooks, only, testSecretBox } from '../../../test/support/webhooks.ts';
import { handleWebhookTask } from './deliver.ts';
import { redeliver } from './redeliver.ts';
import { standardScheme } from './standard-scheme.ts';
import { verifyWebhook } from './webhook-scheme.ts';

const start = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const HOUR = 3_600_000;

async function setUp(...answers: Parameters<typeof startReceiver>[1][]) {
  const clock = new ManualClock(start);
  const webhooks = await createTestWebhooks({ clock });
  const receiver = await startReceiver(certificate, ...answers);
  const url = `https://hooks.test:${receiver.port}/hook?tenant=7`;
  return { clock, webhooks, receiver, url, db: webhooks.database.db };
}

/** Runs something once while an attempt is between two steps. */
function atFaultPoint(wanted: FaultPoint, happen: () => Promise<void>): void {
  let pending = true;
  onFaultPoint(async (point) => {
    if (point !== wanted || !pending) return;
    pending = false;
    await happen();
  });
  onTestFinished(() => onFaultPoint(undefined));
}

test('[WHK14] [WHK15] a 2xx: delivered with the exact bytes, signed, and the attempt is recorded', async () => {
  const { webhooks, receiver, url, db } = await setUp(204);
  const body = { event: 'x', text: 'grüße ✓', n: 1.5 };
  const { eventId, deliveryIds } = await webhooks.emit({ urls: [url], body, secrets: ['s3cret ✓'] });
  const id = only(deliveryIds);
  expect(webhooks.queued).toEqual([{ deliveryId: id, at: start, alreadyWaiting: 0 }]);

  expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  const request = only(receiver.received);
  expect(request).toMatchObject({ method: 'POST', url: '/hook?tenant=7' });
  expect(request.body).toEqual(Buffer.from(JSON.stringify(body)));
  expect(request.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Doqlo-Webhook/1.0',
    'x-doqlo-event-id': eventId,
    'webhook-id': eventId,
  });
  const headers = request.headers as Record<string, string>;
  for (const scheme of ['bulkfill', 'standard'] as const)
    expect(verifyWebhook(schemeNamed(scheme), { headers, body: request.body }, 's3cret ✓', start)).toEqual({
      ok: true,
    });

  expect(await findWebhookDelivery(db, id)).toMatchObject({
    state: 'delivered',
    attempt: 1,
    delivered_at: start,
    next_attempt_at: null,
    first_failed_at: null,
  });
  expect(await listAttempts(db, id)).toMatchObject([
    { n: 1, started_at: start, finished_at: start, status: 204, error: null },
  ]);
  expect(webhooks.counted).toEqual(['bulkfill delivered']);
});

test('[JOB23] the database is unavailable when a result must be recorded: recorded later, and sent once', async () => {
  const { webhooks, receiver, url, db } = await setUp(500);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  let isDown = true;
  const addWebhook = async () => {
    if (isDown) throw new Error('Connection terminated unexpectedly');
  };
  const services = testServices(db, {
    probes: {
      database: async () => {
        if (!isDown) return;
        isDown = false;
        throw new Error('the database is down');
      },
      blobs: async () => {},
    },
  });
  const parts = { ...webhooks.parts, queue: { addWebhook }, services };
  expect(await handleWebhookTask(parts, { deliveryId: id })).toEqual({ outcome: 'waiting', until: at(60) });
  expect(receiver.received).toHaveLength(1);
  expect(await findWebhookDelivery(db, id)).toMatchObject({ state: 'pending', attempt: 1 });
});

test('[JOB23] a result that cannot be recorded while the database responds: fails', async () => {
  const { webhooks, url } = await setUp(500);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  const addWebhook = () => Promise.reject(new Error('a bug'));
  const parts = { ...webhooks.parts, queue: { addWebhook } };
  await expect(handleWebhookTask(parts, { deliveryId: id })).rejects.toThrow('a bug');
});

test('[WHK15] after a recorded 2xx: nothing is sent, however often the queue hands the task out', async () => {
  const { clock, webhooks, receiver, url } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  await webhooks.attempt(id);
  for (let i = 0; i < 5; i += 1) {
    clock.advance(HOUR);
    expect(await webhooks.attempt(id)).toEqual({ outcome: 'settled' });
  }
  expect(receiver.received).toHaveLength(1);
  expect(await webhooks.attempt('0198c0de-0000-7000-8000-000000000009')).toEqual({ outcome: 'settled' });
});

test('[WHK16] failures: six attempts at offsets from the first failure, then exhausted', async () => {
  const { clock, webhooks, receiver, url, db } = await setUp(500, 302, 404, 503, 410, 429);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  for (const offset of [60, 300, 1800, 3600, 7200]) {
    expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(offset) });
    expect(webhooks.queued.at(-1)).toMatchObject({ deliveryId: id, at: at(offset) });
    clock.advance(at(offset).getTime() - clock.now().getTime() - 1);
    expect(await webhooks.attempt(id), 'a millisecond early').toEqual({
      outcome: 'waiting',
      until: at(offset),
    });
    clock.advance(1);
  }
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'exhausted' });
  clock.advance(100 * HOUR);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'settled' });
  expect(receiver.received).toHaveLength(6);
  expect(await findWebhookDelivery(db, id)).toMatchObject({
    state: 'exhausted',
    attempt: 6,
    first_failed_at: start,
    next_attempt_at: null,
    delivered_at: null,
  });
  expect((await listAttempts(db, id)).map((attempt) => attempt.status)).toEqual([
    500, 302, 404, 503, 410, 429,
  ]);
});

test('[WHK14] every attempt: the same event id and bytes, and a signature with the time of the attempt', async () => {
  const { clock, webhooks, receiver, url } = await setUp(500, 500, 200);
  const id = only((await webhooks.emit({ urls: [url], secrets: ['s'] })).deliveryIds);
  await webhooks.attempt(id);
  clock.advance(60_000);
  await webhooks.attempt(id);
  clock.advance(240_000);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  const [first, second, third] = receiver.received;
  expect(second?.body).toEqual(first?.body);
  expect(third?.body).toEqual(first?.body);
  const seen = receiver.received.map((request) => request.headers);
  expect(new Set(seen.map((headers) => headers['x-doqlo-event-id'])).size).toBe(1);
  expect(seen.map((headers) => Number(headers['x-doqlo-timestamp']) - start.getTime() / 1000)).toEqual([
    0, 60, 300,
  ]);
  expect(new Set(seen.map((headers) => headers['x-doqlo-signature'])).size).toBe(3);
});

test('[WHK16] ingest: its own schedule, whose first retry follows at once', async () => {
  const { clock, webhooks, receiver, url } = await setUp(500);
  const id = only((await webhooks.emit({ urls: [url], scheme: 'ingest' })).deliveryIds);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(0) });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(5) });
  clock.advance(6_000);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(30) });
  clock.advance(60_000);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'exhausted' });
  expect(receiver.received).toHaveLength(4);
});

test('[WHK30] ingest: every attempt signs its own time, and the signature of the body stays the same', async () => {
  const { clock, webhooks, receiver, url } = await setUp(500, 500, 200);
  const id = only((await webhooks.emit({ urls: [url], scheme: 'ingest', secrets: ['s'] })).deliveryIds);
  await webhooks.attempt(id);
  clock.advance(3_000);
  await webhooks.attempt(id);
  clock.advance(6_000);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  const seen = receiver.received.map((request) => request.headers);
  expect(seen.map((headers) => Number(headers['x-fgai-timestamp']) - start.getTime() / 1000)).toEqual([
    0, 3, 9,
  ]);
  expect(new Set(seen.map((headers) => headers['x-fgai-signature-v2'])).size).toBe(3);
  expect(new Set(seen.map((headers) => headers['x-fgai-signature'])).size).toBe(1);
});

test('[WHK17] an attempt: recorded before anything is sent, and no second one runs beside it', async () => {
  const { webhooks, receiver, url, db } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  const seen: unknown[] = [];
  atFaultPoint('webhook.before-send', async () => {
    seen.push(...(await listAttempts(db, id)), receiver.received.length, await webhooks.attempt(id));
  });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  expect(seen).toMatchObject([
    { n: 1, started_at: start, finished_at: null, status: null },
    0,
    { outcome: 'waiting', until: at(20) },
  ]);
  expect(receiver.received).toHaveLength(1);
});

test('[WHK17] a hundred concurrent workers: one send', async () => {
  const { webhooks, receiver, url } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => webhooks.attempt(id)));
  expect(outcomes.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
});

test('[WHK17] a worker that returns after its lease: changes nothing', async () => {
  const { clock, webhooks, receiver, url, db } = await setUp(500, 200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  atFaultPoint('webhook.after-send', async () => {
    clock.advance(21_000);
    expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'late' });
  expect(await findWebhookDelivery(db, id)).toMatchObject({
    state: 'delivered',
    attempt: 2,
    first_failed_at: null,
  });
  expect(await listAttempts(db, id)).toMatchObject([
    { n: 1, error: 'interrupted', status: null },
    { n: 2, error: null, status: 200 },
  ]);
  expect(receiver.received).toHaveLength(2);
});

test('[WHK17] a late response: does not end a delivery that a later attempt holds', async () => {
  const { clock, webhooks, url, db } = await setUp(200, 500);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  atFaultPoint('webhook.after-send', async () => {
    clock.advance(21_000);
    expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(81) });
  });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'late' });
  expect(await findWebhookDelivery(db, id)).toMatchObject({
    state: 'pending',
    attempt: 2,
    first_failed_at: at(21),
    next_attempt_at: at(81),
    delivered_at: null,
  });
});

test('[WHK17] a worker suspended between claim and send: no longer sends', async () => {
  const { clock, webhooks, receiver, url } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  atFaultPoint('webhook.before-send', async () => {
    clock.advance(25_000);
    expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'settled' });
  expect(receiver.received).toHaveLength(1);
  expect(webhooks.counted).toEqual(['bulkfill delivered', 'bulkfill late']);
});

test('[WHK18] an attempt interrupted by a crash: recorded as such and not counted among the six', async () => {
  const { clock, webhooks, receiver, url, db } = await setUp(500);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  atFaultPoint('webhook.after-send', () => Promise.reject(new Error('crash')));
  await expect(webhooks.attempt(id)).rejects.toThrow('crash');
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(20) });
  clock.advance(20_000);
  for (let failed = 1; failed <= 5; failed += 1) {
    expect(await webhooks.attempt(id)).toMatchObject({ outcome: 'waiting' });
    clock.advance(2 * HOUR);
  }
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'exhausted' });
  expect(receiver.received).toHaveLength(7);
  expect(await listAttempts(db, id)).toMatchObject([
    { n: 1, error: 'interrupted' },
    {},
    {},
    {},
    {},
    {},
    { n: 7 },
  ]);
});

test('[WHK18] an attempt that always crashes: given up after twenty', async () => {
  const { clock, webhooks, receiver, url, db } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  onFaultPoint((point) => {
    if (point === 'webhook.before-send') throw new Error('crash');
  });
  onTestFinished(() => onFaultPoint(undefined));
  for (let i = 0; i < 20; i += 1) {
    await expect(webhooks.attempt(id)).rejects.toThrow('crash');
    clock.advance(20_000);
  }
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'exhausted' });
  expect(await findWebhookDelivery(db, id)).toMatchObject({ state: 'exhausted', attempt: 21 });
  expect(receiver.received).toHaveLength(0);
});

test('[WHK7] a target that is rejected at an attempt: the attempt fails and is retried later', async () => {
  const clock = new ManualClock(start);
  const settings = { allow: { covers: () => false } };
  const webhooks = await createTestWebhooks({ clock, settings });
  const receiver = await startReceiver(certificate, 200);
  const id = only((await webhooks.emit({ urls: [`https://hooks.test:${receiver.port}/`] })).deliveryIds);
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'waiting', until: at(60) });
  const { error } = only(await listAttempts(webhooks.database.db, id));
  expect(error).toBe(
    'target refused: it targets an address that is not public: 127.0.0.1 is loopback (RFC 1122)',
  );
  expect(receiver.received).toHaveLength(0);
});

test('[WHK19] secrets: stored only in sealed form', async () => {
  const { webhooks, url, receiver } = await setUp(200);
  const secrets: [string, string] = ['current-secret', 'older-secret'];
  const id = only((await webhooks.emit({ urls: [url], secrets, scheme: 'standard' })).deliveryIds);
  const { rows } = await webhooks.database.pool.query<{ secrets: Buffer; row: string }>(
    'select d.secrets, d::text as row from webhook_deliveries d where id = $1',
    [id],
  );
  const { secrets: stored, row } = only(rows);
  expect(testSecretBox.open(stored)).toBe('["current-secret","older-secret"]');
  expect(row).not.toMatch(/current-secret|older-secret/);
  await webhooks.attempt(id);
  const { headers, body } = only(receiver.received);
  for (const secret of secrets)
    expect(
      verifyWebhook(standardScheme, { headers: headers as Record<string, string>, body }, secret, start),
    ).toEqual({
      ok: true,
    });
  expect(await findWebhookDelivery(webhooks.database.db, id)).not.toHaveProperty('secrets');
});

test('[WHK20] redelivery of a settled delivery: a new delivery of the same event', async () => {
  const { clock, webhooks, receiver, url, db } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  await webhooks.attempt(id);
  clock.advance(HOUR);
  const again = await redeliver(webhooks.parts, id);
  if (!again.ok) throw new Error(again.reason);
  expect(again.deliveryId).not.toBe(id);
  expect(webhooks.queued.at(-1)).toMatchObject({ deliveryId: again.deliveryId, at: clock.now() });
  expect(await webhooks.attempt(again.deliveryId)).toEqual({ outcome: 'delivered' });
  const [first, second] = receiver.received;
  expect(second?.body).toEqual(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(await findWebhookDelivery(db, id)).toMatchObject({ state: 'delivered', attempt: 1 });
});

test('[WHK20] redelivery of a pending delivery: its next attempt is due now', async () => {
  const { webhooks, receiver, url } = await setUp(500, 200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  await webhooks.attempt(id);
  expect(await redeliver(webhooks.parts, id)).toEqual({ ok: true, deliveryId: id });
  expect(await webhooks.attempt(id)).toEqual({ outcome: 'delivered' });
  expect(receiver.received).toHaveLength(2);
});

test('[WHK20] redelivery during an attempt, or of an unknown delivery: rejected', async () => {
  const { webhooks, url } = await setUp(200);
  const id = only((await webhooks.emit({ urls: [url] })).deliveryIds);
  const answers: unknown[] = [];
  atFaultPoint('webhook.before-send', async () => void answers.push(await redeliver(webhooks.parts, id)));
  await webhooks.attempt(id);
  expect(answers).toEqual([{ ok: false, reason: 'running' }]);
  const unknown = await redeliver(webhooks.parts, '0198c0de-0000-7000-8000-000000000009');
  expect(unknown).toEqual({ ok: false, reason: 'unknown' });
});

test('[WHK9] an account with many pending deliveries: queued behind the others', async () => {
  const { webhooks, url } = await setUp(200);
  await webhooks.emit({ urls: [url, url, url] });
  await webhooks.emit({ urls: [url] });
  expect(webhooks.queued.map((task) => task.alreadyWaiting)).toEqual([0, 1, 2, 3]);
});
