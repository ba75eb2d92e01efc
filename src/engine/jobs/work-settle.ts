import { faultPoint } from '#lib/fault-points.ts';
import { type JobRecord, lockJob } from '#storage/jobs/find-jobs.ts';
import { beginSettle, excuseSettle } from '#storage/jobs/settle-job.ts';
import { listSliceResults } from '#storage/jobs/slice-results.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Claimed } from '../queue/queue.ts';
import { endsJob, excuse, isLastAttemptOver } from './attempts.ts';
import { commitSettlement } from './commit-settlement.ts';
import { endJob } from './end-job.ts';

/**
 * Runs one attempt to settle: builds the outcome outside any transaction, then commits everything at once if its
 * attempt is still current.
 */
export async function workSettle(
  parts: EngineParts,
  task: Claimed<'settle'>,
  stopping: AbortSignal,
): Promise<void> {
  const { jobId } = task.data;
  const { db } = parts.database;
  const job = await beginSettle(db, jobId);
  if (job === undefined) return parts.queue.complete('settle', task);
  await faultPoint('settle.after-begin');
  const begun = { attempt: job.settle_attempt, excused: job.settle_excused };
  if (isLastAttemptOver(begun)) {
    await endJob(parts, jobId, 'exhausted');
    return parts.queue.complete('settle', task);
  }
  try {
    await runAttempt(parts, task, job);
  } catch (error) {
    // Thrown all the same, so that it is logged. The next claim finds the job ended and completes the task.
    if (endsJob(error, begun)) await endJob(parts, jobId, 'exhausted');
    else
      await excuse(
        parts.services,
        { ...begun, error },
        () => excuseSettle(db, jobId, begun.attempt),
        stopping,
      );
    throw error;
  }
}

async function runAttempt(parts: EngineParts, task: Claimed<'settle'>, job: JobRecord): Promise<void> {
  const { db } = parts.database;
  const { id: jobId } = job;
  const slices = (await listSliceResults(db, jobId)).map(({ n, state, rows_total, rows_failed, result }) => ({
    n,
    rows: rows_total,
    rowsFailed: rows_failed ?? 0,
    result: state === 'done' ? result : undefined,
  }));
  const outcome = await parts.kinds
    .get(job.kind)
    .finish({ job, input: job.input, slices, attempt: job.settle_attempt });
  await faultPoint('settle.after-finish');
  const settled = await db.transaction().execute(async (tx) => {
    await lockJob(tx, jobId);
    const ended = await commitSettlement(parts, tx, { jobId, attempt: job.settle_attempt, outcome });
    await parts.queue.complete('settle', task, tx);
    await faultPoint('settle.before-commit');
    return ended;
  });
  await faultPoint('settle.after-commit');
  if (settled === undefined) return;
  parts.counters.settled(job.kind, outcome.state);
  parts.signals.jobChanged(jobId);
  if (settled.webhooks > 0) parts.signals.workAdded('webhook');
}
