import { expect } from 'vitest';
import { systemIds } from '#lib/ids.ts';
import { type Database, type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { type ClientLog, newClientLog } from './checker.ts';
import type { CrashNode } from './crash-node.ts';
import { createDatabase } from './database.ts';
import { exampleEffectsTable } from './example-kind.ts';

const ROWS = 40;
const SLICE = 10;

/** The starting point of every crash test: a database, an account and the log of a careful client. */
export interface Scene {
  readonly address: DatabaseAddress;
  readonly database: Database;
  readonly accountId: string;
  readonly log: ClientLog;
}

export async function makeScene(existing?: DatabaseAddress): Promise<Scene> {
  const address = existing ?? (await createDatabase());
  const database = openDatabase(address, 4, () => {});
  await database.pool.query(exampleEffectsTable);
  const accountId = systemIds.uuid();
  await database.pool.query(
    "insert into accounts (id, name, plan, created_at) values ($1, 'demo', 'unlimited', now())",
    [accountId],
  );
  return { address, database, accountId, log: newClientLog() };
}

/** Sends a create as a careful client does: retries with the same key until it gets an answer. */
export async function create(scene: Scene, node: CrashNode, key: string): Promise<string | undefined> {
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

export async function settled(scene: Scene, jobId: string): Promise<string> {
  for (let i = 0; i < 3000; i += 1) {
    const state = await findSettledState(scene, jobId);
    if (state !== undefined) return state;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`job ${jobId} did not settle`);
}

async function findSettledState({ database }: Scene, jobId: string): Promise<string | undefined> {
  try {
    const text = 'select state from jobs where id = $1 and settled_at is not null';
    const { rows } = await database.pool.query<{ state: string }>(text, [jobId]);
    return rows[0]?.state;
  } catch {
    // A test may have killed the database; the polling loop retries.
    return undefined;
  }
}

export async function effectsPerSlice(scene: Scene, jobId: string): Promise<number[]> {
  const { rows } = await scene.database.pool.query<{ n: number }>(
    'select count(*)::int as n from example_effects where job_id = $1 group by example_effects.n order by example_effects.n',
    [jobId],
  );
  return rows.map((row) => row.n);
}
