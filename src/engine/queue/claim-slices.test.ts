import { expect, test } from 'vitest';
import { connectClient } from '#storage/database.ts';
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
