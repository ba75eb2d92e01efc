import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import type { BulkfillParts } from '../parts.ts';
import { getOwnedJob } from './find-owned-job.ts';

/** Progress is looked up so often at most, whatever the number of slices that end meanwhile. */
const STEP_MS = 1_000;
const MAX_STEPS = 3_600;

/**
 * GET …/{job_id}/events: progress as Server-Sent Events until the job has settled. An event's id is the
 * number of finished rows, so a client that reconnects with `Last-Event-ID` is not told what it knows.
 */
export async function jobEvents(
  parts: BulkfillParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const job = await getOwnedJob(parts, request);
  const known = String(request.headers['last-event-id'] ?? '');
  reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  return reply.send(Readable.from(progress(parts, job.id, known, shutdown), { objectMode: false }));
}

async function* progress(
  parts: BulkfillParts,
  jobId: string,
  known: string,
  shutdown: AbortSignal,
): AsyncGenerator<string> {
  let told = known;
  for (let step = 0; step < MAX_STEPS && !shutdown.aborted; step += 1) {
    const job =
      step === 0 ? await getJob(parts.db, jobId) : await parts.engine.wait(jobId, STEP_MS, shutdown);
    const id = job.settled_at === null ? String(job.rows_done) : `${job.rows_done}.${job.state}`;
    if (id !== told) yield frame(job, id);
    else if (step % 15 === 14) yield ': still there\n\n';
    told = id;
    if (job.settled_at !== null) return;
  }
}

function frame(job: JobRecord, id: string): string {
  const data = {
    job_id: job.id,
    status: job.state,
    rows_total: job.rows_total,
    rows_done: job.rows_done,
    rows_failed: job.rows_failed,
  };
  return `id: ${id}\nevent: ${job.settled_at === null ? 'progress' : 'settled'}\ndata: ${JSON.stringify(data)}\n\n`;
}
