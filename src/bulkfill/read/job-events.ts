import type { FastifyReply, FastifyRequest } from 'fastify';
import { commentFrame, eventFrame, sendEvents } from '#http/event-stream.ts';
import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ProgressEvent } from '../contract.ts';
import type { BulkfillParts } from '../parts.ts';
import { getOwnedJob } from './find-owned-job.ts';

/** Time between two reads of the progress, however many slices end in between. */
const STEP_MS = 1_000;
const MAX_STEPS = 3_600;
const STEPS_PER_COMMENT = 15;

/**
 * GET …/{job_id}/events: sends the progress as server-sent events until the job has settled. The id of an event is the
 * number of finished rows, so a client that reconnects with `Last-Event-ID` does not receive the same state twice.
 */
export async function jobEvents(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const job = await getOwnedJob(parts, request);
  const lastId = String(request.headers['last-event-id'] ?? '');
  return sendEvents(reply, { shutdown }, (leave) => progress(parts, job.id, lastId, leave));
}

async function* progress(
  parts: BulkfillParts,
  jobId: string,
  lastId: string,
  leave: AbortSignal,
): AsyncGenerator<string> {
  let sent = lastId;
  for (let step = 0; step < MAX_STEPS && !leave.aborted; step += 1) {
    const job = step === 0 ? await getJob(parts.db, jobId) : await parts.engine.wait(jobId, STEP_MS, leave);
    const id = job.settled_at === null ? String(job.rows_done) : `${job.rows_done}.${job.state}`;
    if (id !== sent) yield frame(job, id);
    else if (step % STEPS_PER_COMMENT === STEPS_PER_COMMENT - 1) yield commentFrame('still there');
    sent = id;
    if (job.settled_at !== null) return;
  }
}

function frame(job: JobRecord, id: string): string {
  const data: ProgressEvent = {
    job_id: job.id,
    status: job.state as ProgressEvent['status'],
    rows_total: job.rows_total,
    rows_done: job.rows_done,
    rows_failed: job.rows_failed,
  };
  return eventFrame({ id, event: job.settled_at === null ? 'progress' : 'settled', data });
}
