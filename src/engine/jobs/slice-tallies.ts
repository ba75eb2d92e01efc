import { faultPoint } from '#lib/fault-points.ts';
import { tallyJob } from '#storage/jobs/tally-job.ts';
import { dropSlicesBeyond } from '#storage/jobs/work-slices.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Claimed } from '../queue/queue.ts';

type Task = Claimed<'slice'>;

interface Group {
  readonly tasks: Task[];
  ended: Promise<void>;
}

/**
 * Counts the slices that end in this process. A slice commits its result without waiting for the other slices of its
 * job; the tally that follows updates the job's progress, drops slices beyond the fail limit and queues the settlement.
 * One tally of a job runs at a time, and covers all slices that ended meanwhile.
 *
 * A task is completed with its tally. If the process dies between the two commits, the task is claimed again, and
 * the worker that finds its slice ended makes the tally.
 */
export class SliceTallies {
  readonly #parts: EngineParts;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Group>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** Resolves when the slice of the task is counted and the task completed. */
  add(task: Task): Promise<void> {
    const { jobId } = task.data;
    const waiting = this.#waiting.get(jobId);
    if (waiting !== undefined) {
      waiting.tasks.push(task);
      return waiting.ended;
    }
    const group: Group = { tasks: [task], ended: Promise.resolve() };
    this.#waiting.set(jobId, group);
    group.ended = this.#runNext(jobId, group);
    return group.ended;
  }

  async #runNext(jobId: string, group: Group): Promise<void> {
    // A failure of the one before is reported to its own tasks.
    await this.#running.get(jobId)?.catch(() => {});
    this.#waiting.delete(jobId);
    const running = tallySlices(this.#parts, jobId, group.tasks);
    this.#running.set(jobId, running);
    try {
      await running;
    } finally {
      if (this.#running.get(jobId) === running) this.#running.delete(jobId);
    }
  }
}

async function tallySlices(parts: EngineParts, jobId: string, tasks: readonly Task[]): Promise<void> {
  const { dropped, isLast } = await parts.database.db.transaction().execute(async (tx) => {
    const tally = await tallyJob(tx, jobId);
    let result = { dropped: 0, isLast: false };
    if (tally !== undefined) {
      const { before, after } = tally;
      const { fail_limit: failLimit, slices_total: total } = after;
      const isBeyond =
        failLimit !== null && after.rows_failed >= failLimit && after.rows_failed > before.rows_failed;
      const dropped = isBeyond ? await dropSlicesBeyond(tx, jobId, failLimit) : 0;
      const isLast = before.slices_done < total && after.slices_done + dropped === total;
      if (isLast) await parts.queue.addSettle(tx, jobId);
      result = { dropped, isLast };
    }
    await parts.queue.complete('slice', tasks, tx);
    await faultPoint('slice.before-tally');
    return result;
  });
  await faultPoint('slice.after-tally');
  // Signal only changes that need action: every signal makes every process query.
  if (dropped > 0) parts.signals.jobChanged(jobId);
  if (isLast) parts.signals.workAdded('settle');
}
