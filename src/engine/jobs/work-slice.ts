import { faultPoint } from '#lib/fault-points.ts';
import { referBlobs } from '#storage/blob-records.ts';
import type { Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import {
  type BegunSlice,
  beginSlice,
  dropSlicesBeyond,
  endSlice,
  excuseSlice,
  type FinishedSlice,
  findNextOpenSlice,
  finishSlice,
  isSliceOpen,
  recordSliceTimeout,
} from '#storage/jobs/work-slices.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SliceDone } from '../job-kind.ts';
import type { Claimed } from '../queue/queue.ts';
import { endsJob, excuse, isLastAttemptOver } from './attempts.ts';
import { endJob } from './end-job.ts';
import type { SliceTallies } from './slice-tallies.ts';

const MAX_TIMEOUTS = 3;

type Interrupted = 'timeout' | 'dropped' | 'stopping';

/** Runs one attempt at one slice: begin (fence), run, finish (if the fence still holds). */
export async function workSlice(
  parts: EngineParts,
  tallies: SliceTallies,
  task: Claimed<'slice'>,
  stopping: AbortSignal,
): Promise<void> {
  const { jobId, n } = task.data;
  const begun = task.begun ?? (await beginSlice(parts.database.db, jobId, n, parts.clock.now()));
  if (begun === undefined) {
    // The slice has ended, but its worker may have died before the tally. That may hang, and must not keep a place.
    void tallies.add(task);
    return;
  }
  await faultPoint('slice.after-begin');
  if (isLastAttemptOver(begun)) {
    await endJob(parts, jobId, 'exhausted');
    return parts.queue.complete('slice', task);
  }
  try {
    await runAttempt(parts, tallies, task, begun, stopping);
  } catch (error) {
    // Thrown all the same, so that it is logged. The next claim finds the job ended and completes the task.
    if (endsJob(error, begun)) await endJob(parts, jobId, 'exhausted');
    else await excuseAttempt(parts, task, begun, error, stopping);
    throw error;
  }
}

async function runAttempt(
  parts: EngineParts,
  tallies: SliceTallies,
  task: Claimed<'slice'>,
  begun: BegunSlice,
  stopping: AbortSignal,
): Promise<void> {
  const { job } = begun;
  const run = await runGuarded(parts, job, task.data.n, begun, stopping);
  if (run.interrupted !== undefined) return afterInterruption(parts, job, task, begun, run.interrupted);
  await faultPoint('slice.after-run');
  const isAlone = job.ordered || job.slices_total === 1;
  const accepted = isAlone
    ? await commitAndCount(parts, job, task, begun, run.done)
    : await commitOneOfMany(parts, task, begun, run.done);
  parts.counters.sliceEnded(job.kind, accepted ? 'done' : 'late');
  if (accepted) {
    const { rowsFailed } = run.done;
    parts.counters.rows(job.kind, begun.rows_total - rowsFailed, rowsFailed);
  }
  if (!accepted || isAlone) return;
  const counted = tallies.add(task);
  // Keeps its place until slices beyond the limit are dropped. Otherwise they would start here meanwhile.
  if (job.fail_limit !== null && run.done.rowsFailed > 0) await counted;
}

async function excuseAttempt(
  parts: EngineParts,
  task: Claimed<'slice'>,
  begun: BegunSlice,
  error: unknown,
  leave: AbortSignal,
): Promise<void> {
  const { jobId, n } = task.data;
  const { attempt, excused } = begun;
  const record = () => excuseSlice(parts.database.db, jobId, n, attempt);
  await excuse(parts.services, { attempt, excused, error }, record, leave);
}

type GuardedRun =
  | { readonly interrupted: Interrupted; readonly done?: undefined }
  | { readonly interrupted?: undefined; readonly done: SliceDone<unknown> };

/** Runs the kind until it ends, times out, is no longer needed, or the process stops. */
async function runGuarded(
  parts: EngineParts,
  job: JobRecord,
  n: number,
  begun: BegunSlice,
  stopping: AbortSignal,
): Promise<GuardedRun> {
  const abort = new AbortController();
  const interrupted = new Promise<GuardedRun>((resolve) => {
    abort.signal.addEventListener(
      'abort',
      () => resolve({ interrupted: abort.signal.reason as Interrupted }),
      { once: true },
    );
  });
  const timer = setTimeout(() => abort.abort('timeout'), parts.settings.sliceTimeoutMs);
  const onStop = () => abort.abort('stopping');
  stopping.addEventListener('abort', onStop, { once: true });
  // Already aborted: the listener would never fire.
  if (stopping.aborted) onStop();
  const unsubscribe = parts.signals.onJob(job.id, () => {
    void isSliceOpen(parts.database.db, job.id, n, begun.attempt).then(
      (open) => open || abort.abort('dropped'),
      () => {}, // The database is unavailable; the fence decides later.
    );
  });
  try {
    const { kind, id: jobId, account_id: accountId, input } = job;
    const running = parts.kinds
      .get(kind)
      .runSlice({
        jobId,
        accountId,
        input,
        slice: begun.input,
        n,
        attempt: begun.attempt,
        signal: abort.signal,
      })
      .then((done): GuardedRun => ({ done }));
    return await Promise.race([running, interrupted]).catch((error) => {
      if (abort.signal.aborted) return interrupted;
      parts.counters.sliceEnded(kind, 'failed');
      throw error;
    });
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', onStop);
    unsubscribe();
  }
}

async function afterInterruption(
  parts: EngineParts,
  job: JobRecord,
  task: Claimed<'slice'>,
  begun: BegunSlice,
  reason: Interrupted,
): Promise<void> {
  if (reason === 'dropped') return parts.queue.complete('slice', task);
  if (reason === 'timeout') {
    parts.counters.sliceEnded(job.kind, 'timeout');
    // A slice that waits for a store that hangs is not to blame. Thrown, so that the attempt is excused.
    if (!(await parts.services.check())) throw new Error('a slice timed out while a service was unavailable');
    const timeouts = await recordSliceTimeout(parts.database.db, job.id, task.data.n, begun.attempt);
    if (timeouts !== undefined && timeouts >= MAX_TIMEOUTS) {
      await endJob(parts, job.id, 'exhausted');
      return parts.queue.complete('slice', task);
    }
  }
  return parts.queue.giveBack('slice', task);
}

/** Commits a slice that no other slice of its job runs beside, and what follows from it. Returns false if it is late. */
async function commitAndCount(
  parts: EngineParts,
  job: JobRecord,
  task: Claimed<'slice'>,
  begun: BegunSlice,
  done: SliceDone<unknown>,
): Promise<boolean> {
  const result = await parts.database.db.transaction().execute(async (tx) => {
    // The task ends whatever happens to the result. Complete it first, because finishing takes the job's lock.
    await parts.queue.complete('slice', task, tx);
    const counted = await finishSlice(tx, finished(parts, task, begun, done));
    if (counted === undefined) return undefined;
    await writeEffects(tx, task, done);
    const dropped = await dropIrrelevant(tx, counted, done.rowsFailed);
    const enqueued = await enqueueNext(parts, tx, counted, dropped);
    await faultPoint('slice.before-commit');
    return { dropped, enqueued };
  });
  await faultPoint('slice.after-commit');
  if (result === undefined) return false;
  // Signal only changes that need action: every signal makes every process query.
  if (result.dropped > 0) parts.signals.jobChanged(job.id);
  if (result.enqueued !== undefined) parts.signals.workAdded(result.enqueued);
  return true;
}

/** Commits a slice beside others of its job. A tally must follow. Returns false if it is late, and completes its task. */
async function commitOneOfMany(
  parts: EngineParts,
  task: Claimed<'slice'>,
  begun: BegunSlice,
  done: SliceDone<unknown>,
): Promise<boolean> {
  const accepted = await parts.database.db.transaction().execute(async (tx) => {
    if (!(await endSlice(tx, finished(parts, task, begun, done)))) return false;
    await writeEffects(tx, task, done);
    await faultPoint('slice.before-commit');
    return true;
  });
  await faultPoint('slice.after-commit');
  if (!accepted) await parts.queue.complete('slice', task);
  return accepted;
}

function finished(
  parts: EngineParts,
  { data: { jobId, n } }: Claimed<'slice'>,
  { attempt }: BegunSlice,
  { result, rowsFailed }: SliceDone<unknown>,
): FinishedSlice {
  return { jobId, n, attempt, result, rowsFailed, now: parts.clock.now() };
}

async function writeEffects(
  tx: Tx,
  { data: { jobId, n } }: Claimed<'slice'>,
  { blobs, write }: SliceDone<unknown>,
): Promise<void> {
  if (blobs !== undefined && !(await referBlobs(tx, jobId, 'work', blobs)))
    throw new Error(`bug: a blob of slice ${jobId}:${n} was swept while it ran`);
  await write?.(tx);
}

async function dropIrrelevant(tx: Tx, job: JobRecord, newlyFailed: number): Promise<number> {
  if (job.fail_limit === null || newlyFailed === 0 || job.rows_failed < job.fail_limit) return 0;
  return dropSlicesBeyond(tx, job.id, job.fail_limit);
}

/** Enqueues the next step. The job's lock is held, so exactly one slice sees that it is the last. */
async function enqueueNext(
  parts: EngineParts,
  tx: Tx,
  job: JobRecord,
  dropped: number,
): Promise<'slice' | 'settle' | undefined> {
  if (job.slices_done + dropped === job.slices_total) {
    await parts.queue.addSettle(tx, job.id);
    return 'settle';
  }
  if (!job.ordered) return undefined;
  const next = await findNextOpenSlice(tx, job.id);
  if (next === undefined) throw new Error(`bug: job ${job.id} has fewer open slices than counted`);
  await parts.queue.addSlices(tx, job.id, [next], 0);
  return 'slice';
}
