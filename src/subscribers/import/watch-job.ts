import type { Engine } from '#engine/engine.ts';
import { commentFrame, eventFrame } from '#http/event-stream.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';

/** Time between two reads of the progress. The end of the job is reported at once. */
const LOOK_MS = 500;
/** Time without an event after which a comment keeps the connection open. */
const SILENCE_MS = 15_000;

/** Yields the states of a job as frames: `progress` at every change, then `completed` or `failed`, and ends. */
export async function* watchJob(
  engine: Engine,
  jobId: string,
  show: (job: JobRecord) => Promise<object>,
  leave: AbortSignal,
): AsyncGenerator<string> {
  let sent = '';
  let sentAt = performance.now();
  let waitMs = 0;
  while (!leave.aborted) {
    const job = await engine.wait(jobId, waitMs, leave);
    waitMs = LOOK_MS;
    const event = job.settled_at === null ? 'progress' : job.state;
    const frame = eventFrame({ event, data: await show(job) });
    if (frame !== sent) {
      yield frame;
      sent = frame;
      sentAt = performance.now();
    } else if (performance.now() - sentAt > SILENCE_MS) {
      yield commentFrame('still at work');
      sentAt = performance.now();
    }
    if (job.settled_at !== null) return;
  }
}
