import { expect, test } from 'vitest';
import { type FaultPoint, faultPoints } from '#lib/fault-points.ts';
import { brokenInvariants } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { create, makeScene, type Scene, settled } from '../support/crash-scene.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { authority, certificate } from '../support/webhooks.ts';

async function delivered(scene: Scene): Promise<void> {
  for (let i = 0; i < 3000; i += 1) {
    const { rows } = await scene.database.pool.query(
      "select from webhook_deliveries where state = 'delivered'",
    );
    if (rows.length === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the webhook was not delivered');
}

/** Expects delivery despite the kill, with one event id and identical bytes, and no delivery after a recorded 2xx. */
async function killAt(point: FaultPoint): Promise<void> {
  const scene = await makeScene();
  const receiver = await startReceiver(certificate, 200);
  const webhook = { url: `https://hooks.test:${receiver.port}/`, ca: authority.ca };
  const doomed = await CrashNode.start({
    address: scene.address,
    workers: 1,
    webhook,
    fault: { point, at: 1 },
  });
  const jobId = await create(scene, doomed, 'k1');
  if (jobId === undefined) throw new Error('the node died too early');
  expect(await settled(scene, jobId)).toBe('completed');
  expect(await doomed.died).toBe('SIGKILL');
  const survivor = await CrashNode.start({ address: scene.address, workers: 1, webhook });
  await delivered(scene);
  await survivor.stop();
  const ids = new Set(receiver.received.map(({ headers }) => headers['x-doqlo-event-id']));
  expect(ids.size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1);
  expect(receiver.received).toHaveLength(point === 'webhook.after-send' ? 2 : 1);
  expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
  await scene.database.close();
}

test('[WHK18] [JOB12] a deliverer killed at every webhook fault point: the event arrives with one id and equal bytes', async () => {
  const points = faultPoints.filter((name) => name.startsWith('webhook.'));
  expect(points).toHaveLength(3);
  await Promise.all(points.map(killAt));
});
