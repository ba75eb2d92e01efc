import { setTimeout as pause } from 'node:timers/promises';
import { faultPoint } from '#lib/fault-points.ts';
import { Turnstile } from '#lib/turnstile.ts';
import { type JobsTally, tallyJob, tallyJobs } from '#storage/jobs/tally-job.ts';
import { dropSlicesBeyond } from '#storage/jobs/work-slices.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Claimed } from '../queue/queue.ts';

type Task = Claimed<'slice'>;

interface Waiting {
  readonly task: Task;
  readonly end: () => void;
}

/** The least pause between two tallies. Slices that end meanwhile are counted together. */
const GATHER_MS = 10;
/** Maximum number of jobs that are counted on their own at the same time. Each may hold a connection for long. */
const MAX_ALONE = 4;

/**
 * Counts the slices that end in this process. A slice commits its result without waiting for the other slices of its
 * job; the tally that follows updates the job's progress, drops slices beyond the fail limit and queues the settlement.
 * One tally runs at a time, and covers the slices of all jobs that ended meanwhile. A job that another process is
 * counting is left to the next tally, and a job whose slices may have to be dropped is counted on its own.
 *
 * A task is completed with its tally. If the process dies between the two commits, the task is claimed again, and
 * the worker that finds its slice ended makes the tally.
 */
export class SliceTallies {
  readonly #parts: EngineParts;
  readonly #onError: (error: unknown) => void;
  readonly #stop = new AbortController();
  #waiting: Waiting[] = [];
  /** Jobs that are counted on their own at the moment. */
  readonly #alone = new Map<string, Promise<void>>();
  readonly #turnstile = new Turnstile(MAX_ALONE);
  #running: Promise<void> | undefined;
  #next = 0;

  constructor(parts: EngineParts, onError: (error: unknown) => void) {
    this.#parts = parts;
    this.#onError = onError;
  }

  /** Resolves when the slice of the task is counted and the task completed. Never rejects: a failure gives the task back. */
  add(task: Task): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ task, end: resolve });
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves when every task is completed, or after `withinMs`. Other processes claim the rest when its lease expires. */
  async stop(withinMs: number): Promise<void> {
    const late = pause(withinMs, undefined, { ref: false });
    await Promise.race([this.#counted(), late]);
    this.#stop.abort();
  }

  async #counted(): Promise<void> {
    await this.#running;
    await Promise.all(this.#alone.values());
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stop.signal.aborted) {
      const waitMs = this.#next - performance.now();
      if (waitMs > 0) await pause(waitMs);
      const waiting = Map.groupBy(this.#waiting, ({ task }) => task.data.jobId);
      const jobIds = [...waiting.keys()].filter((jobId) => !this.#alone.has(jobId));
      const covered = new Map(jobIds.map((jobId) => [jobId, waiting.get(jobId) ?? []]));
      this.#waiting = this.#waiting.filter(({ task }) => this.#alone.has(task.data.jobId));
      if (covered.size > 0) this.#waiting.push(...(await this.#count(covered)));
      this.#next = performance.now() + GATHER_MS;
    }
    this.#running = undefined;
  }

  /** Returns what the next tally must cover again. */
  async #count(ofJob: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly Waiting[]> {
    try {
      return await this.#countTogether(ofJob);
    } catch (error) {
      const { services } = this.#parts;
      this.#onError(error);
      if (!(await services.check(['database']))) {
        await services.available(['database'], this.#stop.signal);
        return [...ofJob.values()].flat();
      }
    }
    // One of them may be the reason. The others must not wait for it, nor for a process that holds one of them.
    const left: Waiting[] = [];
    for (const [jobId, own] of ofJob) {
      try {
        left.push(...(await this.#countTogether(new Map([[jobId, own]]))));
      } catch (error) {
        await this.#giveBack(own, error);
        for (const { end } of own) end();
      }
    }
    return left;
  }

  async #countTogether(ofJob: ReadonlyMap<string, readonly Waiting[]>): Promise<readonly Waiting[]> {
    const tasksOf = (jobId: string) => (ofJob.get(jobId) ?? []).map(({ task }) => task);
    const { beyondLimit, held } = await tallyTogether(this.#parts, [...ofJob.keys()], tasksOf);
    const left = new Set([...beyondLimit, ...held]);
    for (const [jobId, own] of ofJob) if (!left.has(jobId)) for (const { end } of own) end();
    for (const jobId of beyondLimit) this.#countAlone(jobId, ofJob.get(jobId) ?? []);
    return held.flatMap((jobId) => ofJob.get(jobId) ?? []);
  }

  /** Counts a job beside the tallies, because it may wait: slices that are ending cannot be dropped yet. */
  #countAlone(jobId: string, own: readonly Waiting[]): void {
    const tasks = own.map(({ task }) => task);
    const counted = this.#turnstile
      .run(() => tallySlices(this.#parts, jobId, tasks))
      .catch((error) => this.#giveBack(own, error))
      .finally(() => {
        this.#alone.delete(jobId);
        for (const { end } of own) end();
      });
    this.#alone.set(jobId, counted);
  }

  async #giveBack(own: readonly Waiting[], error: unknown): Promise<void> {
    this.#onError(error);
    for (const { task } of own) await this.#parts.queue.giveBack('slice', task).catch(this.#onError);
  }
}

/** Completes the tasks of all jobs that it counts, or that have ended. Returns the other jobs. */
async function tallyTogether(
  parts: EngineParts,
  jobIds: readonly string[],
  tasksOf: (jobId: string) => readonly Task[],
): Promise<Pick<JobsTally, 'beyondLimit' | 'held'>> {
  const { counted, beyondLimit, held } = await parts.database.db.transaction().execute(async (tx) => {
    const tally = await tallyJobs(tx, jobIds);
    for (const { id, isLast } of tally.counted) if (isLast) await parts.queue.addSettle(tx, id);
    const left = new Set([...tally.held, ...tally.beyondLimit]);
    const completed = jobIds.filter((jobId) => !left.has(jobId)).flatMap(tasksOf);
    if (completed.length > 0) await parts.queue.complete('slice', completed, tx);
    await faultPoint('slice.before-tally');
    return tally;
  });
  await faultPoint('slice.after-tally');
  if (counted.some(({ isLast }) => isLast)) parts.signals.workAdded('settle');
  return { beyondLimit, held };
}

/** Counts the slices of one job and waits for its lock. */
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
