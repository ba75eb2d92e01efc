import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FaultPoint } from '#lib/fault-points.ts';
import { silentLog } from '#lib/plain-log.ts';
import { openDatabase } from '#storage/database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { brokenInvariants } from '../support/checker.ts';
import { CrashNode } from '../support/crash-node.ts';
import { effectsPerSlice, makeScene, type Scene, settled } from '../support/crash-scene.ts';

/** The points at which the database is killed: before, inside and after transactions. */
const KILLED_AT: readonly FaultPoint[] = [
  'slice.after-begin',
  'slice.after-run',
  'slice.before-commit',
  'settle.after-finish',
  'settle.before-commit',
];

async function startDatabase(): Promise<EmbeddedPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rp-dbkill-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
  onTestFinished(async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(postgres.directory, { recursive: true, force: true });
  });
  const database = openDatabase(postgres.address, 2, () => {});
  await migrate(database.db);
  await database.close();
  return postgres;
}

/** A client that reuses its key and retries while the database is unavailable. */
async function createPatiently(scene: Scene, node: CrashNode, key: string): Promise<string> {
  for (let i = 0; i < 900; i += 1) {
    const answer = await node.ask<{ jobId?: string; error?: string }>({
      do: 'accept',
      key,
      body: 'same',
      accountId: scene.accountId,
      count: 40,
      sliceSize: 10,
    });
    if (answer?.jobId !== undefined) {
      scene.log.acknowledged.push({ key, jobId: answer.jobId });
      return answer.jobId;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the create was never answered');
}

test('[JOB15] PostgreSQL killed at five points of running jobs: nothing acknowledged is lost, every job completes', async () => {
  const postgres = await startDatabase();
  const scene = await makeScene(postgres.address);
  const node = await CrashNode.start({ address: postgres.address, workers: 2 });
  const jobs: string[] = [];
  for (const [index, point] of KILLED_AT.entries()) {
    const hold = await node.holdAt(point);
    jobs.push(await createPatiently(scene, node, point));
    await hold.reached;
    const pid = Number(
      readFileSync(join(postgres.directory, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    process.kill(pid, 'SIGKILL');
    await postgres.recovered(index + 1);
    await hold.release();
  }
  for (const jobId of jobs) {
    expect(await settled(scene, jobId)).toBe('completed');
    expect(await effectsPerSlice(scene, jobId)).toEqual([1, 1, 1, 1]);
  }
  expect(await brokenInvariants(scene.database.pool, scene.log)).toEqual([]);
  await node.stop();
  await scene.database.close();
});
