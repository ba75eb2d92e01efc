import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import type { EngineParts } from '../engine-parts.ts';

/**
 * Waits until a job has settled, at most `waitMs`, and returns its current state. A signal from any node wakes it.
 * Subscribes before it reads, so no change is missed in between, and reads again periodically, because signals may be
 * lost. `leave` ends the wait early (shutdown, client disconnected).
 */
export async function waitForJob(
  parts: Pick<EngineParts, 'database' | 'signals'>,
  jobId: string,
  waitMs: number,
  leave?: AbortSignal,
): Promise<JobRecord> {
  const deadline = performance.now() + waitMs;
  let wake: () => void = () => {};
  let heard = false;
  const nudge = () => {
    heard = true;
    wake();
  };
  const unsubscribe = parts.signals.onJob(jobId, nudge);
  leave?.addEventListener('abort', nudge, { once: true });
  try {
    for (;;) {
      heard = false;
      const job = await getJob(parts.database.db, jobId);
      const left = deadline - performance.now();
      if (job.settled_at !== null || left <= 0 || leave?.aborted === true) return job;
      if (heard) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, parts.signals.rereadMs));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    unsubscribe();
    leave?.removeEventListener('abort', nudge);
  }
}
