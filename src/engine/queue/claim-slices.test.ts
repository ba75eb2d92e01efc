import { expect, test } from 'vitest';
import { connectClient } from '#storage/database.ts';
import { endSlice } from '#storage/jobs/work-slices.ts';
import { claimSlices } from '#storage/queue/claim-slices.ts';
import { lanes } from '#storage/queue/lanes.ts';
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts';

async function acceptSlices(engine: TestEngine, count: number): Promise<string> {
  const input = { count, sliceSize: 1 };
  const accepted = await engine.engine.accept({ accountId: engine.accountId, kind: 'example.sum', input });
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  return accepted.job.id;
}

async function claim({ parts }: TestEngine) {
  const claimed = await parts.queue.claimSlices(10, parts.clock.now());
  return claimed.map(({ data, begun }) => ({ n: data.n, attempt: begun?.attempt }));
}

test('[JOB8] several slices are claimed: each open one has begun an attempt', async () => {
  const engine = await startTestEngine();
  const { pool } = engine.parts.database;
  const jobId = await acceptSlices(engine, 3);
  await pool.query("update slices set state = 'dropped' where n = 1");
  expect(await claim(engine)).toEqual([
    { n: 0, attempt: 1 },
    { n: 1, attempt: undefined },
    { n: 2, attempt: 1 },
  ]);
  const job = await engine.engine.wait(jobId, 0);
  expect(job.state).toBe('processing');
  expect(job.started_at).toBeInstanceOf(Date);
});

test('[JOB8] two entries of one slice are claimed together: one has begun an attempt', async () => {
  const engine = await startTestEngine();
  const jobId = await acceptSlices(engine, 1);
  const { db } = engine.parts.database;
  await db.transaction().execute((tx) => engine.parts.queue.addSlices(tx, jobId, [0], 0));
  const claimed = await claim(engine);
  expect(claimed.map(({ attempt }) => attempt).sort()).toEqual([1, undefined]);
});

test('[JOB8] a transaction holds a slice and its job: the claim does not wait for it', async () => {
  const engine = await startTestEngine();
  const jobId = await acceptSlices(engine, 2);
  const other = await connectClient(engine.address);
  await other.query('begin');
  await other.query('select from jobs where id = $1 for update', [jobId]);
  await other.query('select from slices where n = 0 for update');
  expect(await claim(engine)).toEqual([
    { n: 0, attempt: undefined },
    { n: 1, attempt: 1 },
  ]);
  await other.end();
});

test('[JOB8] claims of two nodes at once: no slice is handed out twice', async () => {
  const first = await startTestEngine();
  const second = await startTestEngine({ address: first.address });
  await acceptSlices(first, 60);
  const claims = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => claim(i % 2 === 0 ? first : second)));
  const numbers = claims.flat().map(({ n }) => n);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(claims.flat().every(({ attempt }) => attempt === 1)).toBe(true);
});

test('[JOB42] a claim of slices: does not wait for the disk', async () => {
  const engine = await startTestEngine();
  await acceptSlices(engine, 2);
  const client = await connectClient(engine.address);
  await client.query('begin');
  const what = { name: 'slice', limit: 2, from: lanes.map(() => 0), oldestFirst: false };
  const { entries } = await claimSlices(client as never, what, engine.parts.clock.now());
  expect(entries).toHaveLength(2);
  const { rows } = await client.query('show synchronous_commit');
  expect(rows).toEqual([{ synchronous_commit: 'off' }]);
  await client.end();
});

test('[JOB42] the database lost a claim: the slice is claimed again, and the attempt that ends first commits', async () => {
  const engine = await startTestEngine();
  const { database, clock, queue } = engine.parts;
  const jobId = await acceptSlices(engine, 2);
  const [lost] = await queue.claimSlices(1, clock.now());
  await database.pool.query(`update slices set attempt = 0; update pgboss.job_common set state = 'created'`);
  const [second] = await queue.claimSlices(1, clock.now());
  expect([lost, second].map((task) => [task?.data.n, task?.begun?.attempt])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  const end = (sum: number) => {
    const slice = { jobId, n: 0, attempt: 1, result: { sum }, rowsFailed: 0, now: clock.now() };
    return database.db.transaction().execute((tx) => endSlice(tx, slice));
  };
  expect([await end(1), await end(2)]).toEqual([true, false]);
  const { rows } = await database.pool.query('select result from slices where n = 0');
  expect(rows).toEqual([{ result: { sum: 1 } }]);
});
