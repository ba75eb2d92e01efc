import type { Engine } from '#engine/engine.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';

/** How often progress is looked at while a job runs; its end is heard at once. */
const LOOK_MS = 500;
/** Proxies close a silent connection; a comment line keeps it open (HTML standard, section 9.2). */
const SILENCE_MS = 15_000;

/** A job's states as server-sent events: `progress` at every change, then `completed` or `failed`, and the end. */
export async function* watchJob(
  engine: Engine,
  jobId: string,
  show: (job: JobRecord) => Promise<object>,
  leave: AbortSignal,
): AsyncGenerator<string> {
  let said = '';
  let saidAt = performance.now();
  let waitMs = 0;
  while (!leave.aborted) {
    const job = await engine.wait(jobId, waitMs, leave);
    waitMs = LOOK_MS;
    const data = JSON.stringify(await show(job));
    const event = job.settled_at === null ? 'progress' : job.state;
    if (data !== said || job.settled_at !== null) {
      yield `event: ${event}\ndata: ${data}\n\n`;
      said = data;
      saidAt = performance.now();
    } else if (performance.now() - saidAt > SILENCE_MS) {
      yield ': still at work\n\n';
      saidAt = performance.now();
    }
    if (job.settled_at !== null) return;
  }
}
