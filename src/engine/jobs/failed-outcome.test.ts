import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tx } from '#storage/database.ts';
import { count, startTestEngine, type TestEngine } from '../../../test/support/engine.ts';
import { type SumInput, sumKind } from '../../../test/support/example-kind.ts';

const MARK = -1;
const mark = async (tx: Tx, jobId: string) => {
  await sql`insert into example_effects (job_id, n, attempt) values (${jobId}, ${MARK}, 0)`.execute(tx);
};
const marks = (engine: TestEngine) =>
  count(engine, 'select count(*) from example_effects where n = $1', [MARK]);

async function accept(engine: TestEngine, input: Partial<SumInput> = {}) {
  const answer = await engine.engine.accept({
    accountId: engine.accountId,
    kind: 'example.sum',
    input: { count: 4, sliceSize: 2, announce: true, ...input },
    quota: { rows: 4, limit: 10 },
  });
  if (answer.outcome !== 'accepted') throw new Error(`expected an accepted job, got ${answer.outcome}`);
  return answer.job;
}

test('[JOB17] a failed outcome with a write: the write commits with the settlement', async () => {
  const engine = await startTestEngine({ kind: sumKind({ writeFailure: mark }) });
  engine.work();
  const failed = await accept(engine, { failing: [1], failLimit: 1 });
  expect(await engine.engine.wait(failed.id, 20_000)).toMatchObject({ error_code: 'TOO_MANY_FAILED' });
  expect(await marks(engine)).toBe(1);
});

test('[JOB17] a write that throws when a job is cancelled: the job stays open, and nothing is written', async () => {
  let broken = true;
  const writeFailure = async (tx: Tx, jobId: string) => {
    await mark(tx, jobId);
    if (broken) throw new Error('the write failed');
  };
  const engine = await startTestEngine({ kind: sumKind({ writeFailure }) });
  const job = await accept(engine);
  await expect(engine.engine.cancel(job.id)).rejects.toThrow('the write failed');
  expect(await engine.engine.wait(job.id, 0)).toMatchObject({ state: 'queued', settled_at: null });
  expect(await marks(engine)).toBe(0);
  expect(await count(engine, 'select reserved_rows from quota_balances')).toBe(4);
  expect(engine.events).toEqual([]);

  broken = false;
  expect(await engine.engine.cancel(job.id)).toBe(true);
  expect(await engine.engine.cancel(job.id)).toBe(false);
  expect(await marks(engine)).toBe(1);
  expect(await count(engine, 'select reserved_rows from quota_balances')).toBe(0);
});

test('[JOB17] a late attempt to settle with a failed outcome: its write is rejected', async () => {
  const begun = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const kind = sumKind({ writeFailure: mark });
  const engine = await startTestEngine({
    kind: {
      ...kind,
      finish: async (work) => {
        if (work.attempt === 1) {
          begun.resolve();
          await late.promise;
        }
        return kind.finish(work);
      },
    },
  });
  engine.work({ settles: 2 });
  const job = await accept(engine, { failing: [1], failLimit: 1 });
  await begun.promise;
  // The queue considers the first worker dead and hands the task out again.
  await engine.parts.database.db.transaction().execute((tx) => engine.parts.queue.addSettle(tx, job.id));
  engine.parts.signals.workAdded('settle');
  expect(await engine.engine.wait(job.id, 20_000)).toMatchObject({ state: 'failed', settle_attempt: 2 });
  late.resolve();
  await engine.stop();
  const second = await startTestEngine({ address: engine.address });
  expect(await marks(second)).toBe(1);
});
