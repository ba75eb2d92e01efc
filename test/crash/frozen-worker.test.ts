import { describe, expect, test } from 'vitest';
import { brokenInvariants, noteEnded } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { create, effectsPerSlice, makeScene, settled } from '../support/crash-scene.ts';

describe.concurrent('a worker that loses its lease', () => {
  for (const round of [1, 2, 3]) {
    test(`[JOB13] frozen by SIGSTOP beyond its lease, then resumed: writes nothing (round ${round})`, async () => {
      const scene = await makeScene();
      const frozen = await CrashNode.start({ address: scene.address, workers: 1 });
      const hold = await frozen.holdAt('slice.after-run');
      const jobId = await create(scene, frozen, 'k1');
      if (jobId === undefined) throw new Error('the node died');
      // This node has computed a slice but not written its result.
      await hold.reached;
      frozen.signal('SIGSTOP');
      const other = await CrashNode.start({ address: scene.address, workers: 1 });
      expect(await settled(scene, jobId)).toBe('completed');
      await noteEnded(scene.database.pool, scene.log, jobId);
      frozen.signal('SIGCONT');
      await hold.release();
      // The response arrives after the attempt to write the stale result.
      expect(await frozen.ask({ do: 'cancel', jobId })).toBe(false);
      await frozen.stop();
      await other.stop();
      expect(await effectsPerSlice(scene, jobId)).toEqual([1, 1, 1, 1]);
      expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
      await scene.database.close();
    });
  }

  test('[JOB14] killed in the middle of a slice: another worker finishes it within 45 s', async () => {
    const scene = await makeScene();
    const doomed = await CrashNode.start({ address: scene.address, workers: 1 });
    const hold = await doomed.holdAt('slice.after-begin');
    const jobId = await create(scene, doomed, 'k1');
    if (jobId === undefined) throw new Error('the node died');
    await hold.reached;
    const other = await CrashNode.start({ address: scene.address, workers: 1 });
    await doomed.kill();
    const killedAt = performance.now();
    expect(await settled(scene, jobId)).toBe('completed');
    expect((performance.now() - killedAt) / 1000).toBeLessThan(45);
    await other.stop();
    expect(await effectsPerSlice(scene, jobId)).toEqual([1, 1, 1, 1]);
    expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
    await scene.database.close();
  });
});
