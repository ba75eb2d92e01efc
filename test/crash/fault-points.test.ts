import { afterAll, describe, expect, test } from 'vitest';
import { type FaultPoint, faultPoints } from '#lib/fault-points.ts';
import { brokenInvariants, noteEnded } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { create, effectsPerSlice, makeScene, settled } from '../support/crash-scene.ts';

const enginePoints = faultPoints.filter((point) => /^(accept|slice|settle|cancel)\./.test(point));

/** A limited plan has its own transaction. Most other creates are one statement, which these points cannot divide. */
const isInsideTransaction = (point: FaultPoint) =>
  point === 'accept.after-claim' || point === 'accept.before-commit';

const outcomes: string[] = [];
afterAll(() => console.log(`fault points:\n${outcomes.sort().join('\n')}`));

describe.concurrent('killed with SIGKILL at a fault point', () => {
  for (const point of enginePoints.filter((name) => !name.startsWith('cancel.'))) {
    test(`[JOB12] ${point}: the job is there once, ends, and takes effect once`, async () => {
      const scene = await makeScene();
      const doomed = await CrashNode.start({
        address: scene.address,
        workers: 1,
        fault: { point, at: 1 },
        limited: isInsideTransaction(point),
      });
      await create(scene, doomed, 'k1');
      expect(await doomed.died).toBe('SIGKILL');
      const began = performance.now();
      const survivor = await CrashNode.start({ address: scene.address, workers: 1 });
      const jobId = await create(scene, survivor, 'k1');
      if (jobId === undefined) throw new Error('the second node died too');
      expect(await settled(scene, jobId)).toBe('completed');
      outcomes.push(
        `${point.padEnd(22)} recovered after ${((performance.now() - began) / 1000).toFixed(1)} s`,
      );
      await noteEnded(scene.database.pool, scene.log, jobId);
      await create(scene, survivor, 'k1');
      await survivor.stop();
      expect(await effectsPerSlice(scene, jobId)).toEqual([1, 1, 1, 1]);
      expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
      await scene.database.close();
    });
  }

  for (const point of enginePoints.filter((name) => name.startsWith('cancel.'))) {
    test(`[JOB12] ${point}: the job is cancelled once`, async () => {
      const scene = await makeScene();
      const doomed = await CrashNode.start({
        address: scene.address,
        workers: 0,
        fault: { point, at: 1 },
      });
      const jobId = await create(scene, doomed, 'k1');
      if (jobId === undefined) throw new Error('the node died too early');
      expect(await doomed.ask({ do: 'cancel', jobId })).toBeUndefined();
      const survivor = await CrashNode.start({ address: scene.address, workers: 0 });
      const again = await survivor.ask<boolean>({ do: 'cancel', jobId });
      expect(again).toBe(point === 'cancel.before-commit');
      expect(await settled(scene, jobId)).toBe('failed');
      outcomes.push(
        `${point.padEnd(22)} ${again ? 'nothing had happened, cancelled by the retry' : 'had happened, the retry changed nothing'}`,
      );
      await survivor.stop();
      expect(await effectsPerSlice(scene, jobId)).toEqual([]);
      expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
      await scene.database.close();
    });
  }
});
