import { describe, expect, test } from 'vitest';
import { brokenInvariants, noteEnded } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { create, effectsPerSlice, makeScene, type Scene, settled } from '../support/crash-scene.ts';

/** Resolves when some slice has been begun at least once. */
async function sliceBegun(scene: Scene): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const { rows } = await scene.database.pool.query(
      "select from slices where attempt > 0 and state = 'open'",
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('no slice was begun');
}

describe.concurrent('a worker that loses its lease', { timeout: 280_000 }, () => {
  for (const round of [1, 2, 3]) {
    test(`[JOB13] frozen by SIGSTOP beyond its lease, then resumed: it writes nothing (round ${round})`, async () => {
      const scene = await makeScene();
      const frozen = await CrashNode.start({ address: scene.address, workers: 1, sliceMs: 400 });
      const jobId = await create(scene, frozen, 'k1');
      if (jobId === undefined) throw new Error('the node died');
      await sliceBegun(scene);
      frozen.signal('SIGSTOP');
      const other = await CrashNode.start({ address: scene.address, workers: 1 });
      expect(await settled(scene, jobId)).toBe('completed');
      await noteEnded(scene.database.pool, scene.log, jobId);
      frozen.signal('SIGCONT');
      // It answers again, so it has had its chance to write the stale result.
      expect(await frozen.ask({ do: 'cancel', jobId })).toBe(false);
      await frozen.stop();
      await other.stop();
      expect(await effectsPerSlice(scene, jobId)).toEqual([1, 1, 1, 1]);
      expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
      await scene.database.close();
    });
  }

  test('[JOB14] killed in the middle of a slice: another worker takes it up within 45 s', async () => {
    const scene = await makeScene();
    const doomed = await CrashNode.start({ address: scene.address, workers: 1, sliceMs: 60_000 });
    const other = await CrashNode.start({ address: scene.address, workers: 1 });
    // Whoever claims first: wait until the slow node holds a slice.
    const jobId = await create(scene, doomed, 'k1');
    if (jobId === undefined) throw new Error('the node died');
    await sliceBegun(scene);
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
