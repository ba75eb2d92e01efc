import { afterAll, describe, expect, test } from 'vitest';
import { type FaultPoint, faultPoints } from '../../src/lib/fault-points.ts';
import { systemIds } from '../../src/lib/ids.ts';
import { type Database, type DatabaseAddress, openDatabase } from '../../src/storage/database.ts';
import { brokenInvariants, type ClientLog, newClientLog, noteEnded } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { createDatabase } from '../support/database.ts';
import { exampleEffectsTable } from '../support/example-kind.ts';

const ROWS = 40;
const SLICE = 10;
const enginePoints = faultPoints.filter((point) => /^(accept|slice|settle|cancel)\./.test(point));

interface Scene {
  readonly address: DatabaseAddress;
  readonly database: Database;
  readonly accountId: string;
  readonly log: ClientLog;
}

async function makeScene(): Promise<Scene> {
  const address = await createDatabase();
  const database = openDatabase(address, 4, () => {});
  await database.pool.query(exampleEffectsTable);
  const accountId = systemIds.uuid();
  await database.pool.query(
    "insert into accounts (id, name, plan, created_at) values ($1, 'demo', 'unlimited', now())",
    [accountId],
  );
  return { address, database, accountId, log: newClientLog() };
}

/** Sends a create as a careful client does: the same key until there is an answer. */
async function create(scene: Scene, node: CrashNode, key: string): Promise<string | undefined> {
  const answer = await node.ask<{ outcome: string; jobId: string }>({
    do: 'accept',
    key,
    body: 'same',
    accountId: scene.accountId,
    count: ROWS,
    sliceSize: SLICE,
  });
  if (answer === undefined) return undefined;
  expect(['accepted', 'replay']).toContain(answer.outcome);
  scene.log.acknowledged.push({ key, jobId: answer.jobId });
  return answer.jobId;
}

async function settled(scene: Scene, jobId: string): Promise<string> {
  for (let i = 0; i < 900; i += 1) {
    const { rows } = await scene.database.pool.query<{ state: string; settled_at: Date | null }>(
      'select state, settled_at from jobs where id = $1',
      [jobId],
    );
    if (rows[0]?.settled_at != null) return rows[0].state;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`job ${jobId} did not settle`);
}

async function effectsPerSlice(scene: Scene, jobId: string): Promise<number[]> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'select count(*)::int as n from example_effects where job_id = $1 group by example_effects.n order by example_effects.n',
    [jobId],
  );
  return rows.map((row) => row.n);
}

const outcomes: string[] = [];
afterAll(() => console.log(`fault points:\n${outcomes.sort().join('\n')}`));

describe.concurrent('killed with SIGKILL at a fault point', { timeout: 280_000 }, () => {
  for (const point of enginePoints.filter((name) => !name.startsWith('cancel.'))) {
    test(`[JOB12] ${point}: the job is there once, ends, and takes effect once`, async () => {
      const scene = await makeScene();
      const doomed = await CrashNode.start({
        address: scene.address,
        workers: 1,
        fault: { point: point as FaultPoint, at: 1 },
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
        fault: { point: point as FaultPoint, at: 1 },
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
