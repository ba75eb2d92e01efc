import { expect, onTestFinished, test } from 'vitest';
import { connectClient } from '#storage/database.ts';
import { endSlice } from '#storage/jobs/work-slices.ts';
import { untilSomebodyWaits } from '../../../test/support/database.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import { type SumInput, sumKind } from '../../../test/support/example-kind.ts';

async function accept(engine: TestEngine, input: SumInput): Promise<string> {
  const accepted = await engine.engine.accept({ accountId: engine.accountId, kind: 'example.sum', input });
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  return accepted.job.id;
}

test('[JOB33] another process counts the slices of a job: slices commit meanwhile, and are counted together', async () => {
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const engine = await startTestEngine({ kind: sumKind({ beforeSlice: () => locked }) });
  const tallies: number[] = [];
  const { queue } = engine.parts;
  const complete = queue.complete.bind(queue);
  queue.complete = (name, tasks, tx) => {
    if (name === 'slice') tallies.push([tasks].flat().length);
    return complete(name, tasks, tx);
  };
  let ended = 0;
  const sliceEnded = () => {
    ended += 1;
  };
  Object.assign(engine.parts, { counters: { ...engine.parts.counters, sliceEnded } });
  const jobId = await accept(engine, { count: 8, sliceSize: 2, failing: [3] });
  engine.work({ slices: 4 });
  await expect.poll(() => engine.engine.running, { timeout: 20_000 }).toBe(4);
  const other = await connectClient(engine.address);
  await other.query('begin');
  await other.query('select from jobs where id = $1 for no key update', [jobId]);
  resolve();
  await expect.poll(() => ended, { timeout: 20_000 }).toBe(4);
  expect(await count(engine, "select count(*) from slices where state = 'done'")).toBe(4);
  expect(await count(engine, 'select slices_done from jobs')).toBe(0);
  await other.end();
  const job = await engine.engine.wait(jobId, 20_000);
  expect(job).toMatchObject({ state: 'completed', slices_done: 4, rows_done: 8, rows_failed: 1 });
  // The job may settle before the task of the last slice is added to a tally.
  const completed = () => tallies.reduce((sum, tasks) => sum + tasks, 0);
  await expect.poll(completed, { timeout: 20_000 }).toBe(4);
  expect(tallies.length).toBeLessThanOrEqual(2);
});

test('[JOB33] the slices of many jobs end on two nodes: each job is counted exactly and settled once', async () => {
  const first = await startTestEngine();
  const second = await startTestEngine({ address: first.address });
  const jobs = await Promise.all(
    Array.from({ length: 20 }, () => accept(first, { count: 12, sliceSize: 2, failing: [1, 2, 12] })),
  );
  for (const node of [first, second]) node.work({ slices: 4 });
  for (const jobId of jobs)
    expect(await first.engine.wait(jobId, 60_000)).toMatchObject({
      state: 'completed',
      slices_done: 6,
      rows_done: 12,
      rows_failed: 3,
      settle_attempt: 1,
    });
  expect(await count(first, 'select count(*) from example_effects')).toBe(120);
});

test('[JOB33] a process dies after its slices committed: the job is counted and settled when they are claimed again', async () => {
  const engine = await startTestEngine();
  const { queue, clock, database } = engine.parts;
  const jobId = await accept(engine, { count: 2, sliceSize: 1 });
  for (const task of await queue.claimSlices(2, clock.now())) {
    const { n } = task.data;
    const slice = { jobId, n, attempt: 1, result: { sum: n + 1 }, rowsFailed: 0, now: clock.now() };
    expect(await database.db.transaction().execute((tx) => endSlice(tx, slice))).toBe(true);
    await queue.giveBack('slice', task);
  }
  engine.work();
  const job = await engine.engine.wait(jobId, 20_000);
  expect(job).toMatchObject({ state: 'completed', outcome: { sum: 3 }, slices_done: 2, rows_done: 2 });
});

test('[JOB33] slices committed and their tasks were lost: the job is counted before it is settled', async () => {
  const engine = await startTestEngine();
  const { database } = engine.parts;
  const jobId = await accept(engine, { count: 2, sliceSize: 1 });
  await database.pool.query(
    `update slices set state = 'done', result = '{"sum":1}', rows_failed = 0; delete from pgboss.job`,
  );
  engine.work();
  expect(await engine.engine.reconcile(-1)).toBe(1);
  const job = await engine.engine.wait(jobId, 20_000);
  expect(job).toMatchObject({ state: 'completed', slices_done: 2, rows_done: 2 });
});

test('[JOB41] another transaction holds one of two jobs: the other one is counted and settles meanwhile', async () => {
  const engine = await startTestEngine();
  const jobIds = [
    await accept(engine, { count: 4, sliceSize: 1 }),
    await accept(engine, { count: 4, sliceSize: 1 }),
  ] as const;
  const other = await connectClient(engine.address);
  await other.query('begin');
  await other.query('select from jobs where id = $1 for no key update', [jobIds[0]]);
  engine.work({ slices: 8 });
  expect(await engine.engine.wait(jobIds[1], 20_000)).toMatchObject({ state: 'completed', slices_done: 4 });
  await expect
    .poll(() => count(engine, "select count(*) from slices where state = 'done'"), { timeout: 20_000 })
    .toBe(8);
  expect(await count(engine, 'select slices_done from jobs where id = $1', [jobIds[0]])).toBe(0);
  await other.end();
  expect(await engine.engine.wait(jobIds[0], 20_000)).toMatchObject({ state: 'completed', slices_done: 4 });
});

test('[JOB41] the tally of one job fails: its tasks return to the queue, and the others are counted', async () => {
  const engine = await startTestEngine();
  const { database } = engine.parts;
  const jobIds = [
    await accept(engine, { count: 3, sliceSize: 1 }),
    await accept(engine, { count: 3, sliceSize: 1 }),
  ] as const;
  await database.pool.query(`
    create table broken (job_id uuid); insert into broken values ('${jobIds[0]}');
    create function refuse() returns trigger language plpgsql as $$ begin
      if exists (select from broken where job_id = new.id) then raise 'cannot count'; end if; return new; end $$;
    create trigger refuse before update of slices_done on jobs for each row execute function refuse()`);
  engine.work({ slices: 6 });
  expect(await engine.engine.wait(jobIds[1], 20_000)).toMatchObject({ state: 'completed', slices_done: 3 });
  const retried = `select count(*) from pgboss.job where data->>'jobId' = '${jobIds[0]}' and state = 'retry'`;
  await expect.poll(() => count(engine, retried), { timeout: 20_000 }).toBeGreaterThan(0);
  expect(String(engine.errors[0])).toContain('cannot count');
  await database.pool.query('delete from broken');
  expect(await engine.engine.wait(jobIds[0], 60_000)).toMatchObject({ state: 'completed', slices_done: 3 });
});

test('[JOB41] the workers stop while slices end: none is left uncounted', async () => {
  const engine = await startTestEngine();
  const jobId = await accept(engine, { count: 40, sliceSize: 1 });
  engine.work({ slices: 4 });
  await expect
    .poll(() => count(engine, "select count(*) from slices where state = 'done'"), { timeout: 20_000 })
    .toBeGreaterThan(0);
  await engine.engine.stopWorkers(20_000);
  const done = await count(engine, "select count(*) from slices where state = 'done'");
  expect(await count(engine, 'select slices_done from jobs where id = $1', [jobId])).toBe(done);
  expect(
    await count(engine, "select count(*) from pgboss.job where name = 'slice' and state = 'active'"),
  ).toBe(0);
});

test('[JOB41] a slice that is ending elsewhere cannot be dropped yet: other jobs are counted and settle meanwhile', async () => {
  const engine = await startTestEngine();
  const { database } = engine.parts;
  const limited = await accept(engine, { count: 4, sliceSize: 1, failing: [1], failLimit: 1 });
  await database.pool.query(`delete from pgboss.job_common where data->>'n' = '3'`);
  const other = await connectClient(engine.address);
  await other.query('begin');
  await other.query(`update slices set state = 'done' where n = 3`);
  engine.work({ slices: 4 });
  await untilSomebodyWaits(database.db);
  const jobId = await accept(engine, { count: 4, sliceSize: 1 });
  expect(await engine.engine.wait(jobId, 20_000)).toMatchObject({ state: 'completed', slices_done: 4 });
  await other.query('rollback');
  await other.end();
  expect(await engine.engine.wait(limited, 20_000)).toMatchObject({ state: 'failed', slices_done: 4 });
});

test('[JOB41] another process hangs while it counts a job: the ended slices of the job keep no place', async () => {
  const engine = await startTestEngine();
  const { queue, clock, database } = engine.parts;
  const held = await accept(engine, { count: 2, sliceSize: 1 });
  for (const task of await queue.claimSlices(2, clock.now())) {
    const { n } = task.data;
    const slice = { jobId: held, n, attempt: 1, result: { sum: 1 }, rowsFailed: 0, now: clock.now() };
    expect(await database.db.transaction().execute((tx) => endSlice(tx, slice))).toBe(true);
    await queue.giveBack('slice', task);
  }
  const other = await connectClient(engine.address);
  await other.query('begin');
  await other.query('select from jobs where id = $1 for no key update', [held]);
  engine.work({ slices: 1 });
  const again = `select count(*) from pgboss.job where state = 'active' and retry_count > 0`;
  await expect.poll(() => count(engine, again), { timeout: 20_000 }).toBeGreaterThan(0);
  const jobId = await accept(engine, { count: 2, sliceSize: 1 });
  expect(await engine.engine.wait(jobId, 20_000)).toMatchObject({ state: 'completed', slices_done: 2 });
  await other.end();
  expect(await engine.engine.wait(held, 20_000)).toMatchObject({ state: 'completed', slices_done: 2 });
});

test('[JOB41] a tally fails while another process holds more jobs than there are connections: the others are counted', async () => {
  const engine = await startTestEngine();
  const held: string[] = [];
  for (let i = 0; i < 24; i += 1) held.push(await accept(engine, { count: 2, sliceSize: 1 }));
  const other = await connectClient(engine.address);
  onTestFinished(() => other.end());
  await other.query('begin');
  await other.query('select from jobs for no key update');
  engine.work({ slices: 4 });
  const ended = `select count(*) from slices where state = 'done'`;
  await expect.poll(() => count(engine, ended), { timeout: 20_000 }).toBe(48);
  const { queue } = engine.parts;
  const addSettle = queue.addSettle.bind(queue);
  queue.addSettle = () => {
    queue.addSettle = addSettle;
    return Promise.reject(new Error('cannot queue'));
  };
  const jobId = await accept(engine, { count: 2, sliceSize: 1 });
  expect(await engine.engine.wait(jobId, 20_000)).toMatchObject({ state: 'completed', slices_done: 2 });
  expect(engine.errors.map(String)).toEqual(['Error: cannot queue']);
  await other.query('rollback');
  for (const id of held)
    expect(await engine.engine.wait(id, 20_000)).toMatchObject({ state: 'completed', slices_done: 2 });
});
