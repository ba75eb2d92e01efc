import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientGone } from '#http/client-gone.ts';
import type { Once } from '#http/idempotency/idempotent-requests.ts';
import { findDelivery } from '#storage/artifacts.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import type { ExportInput } from '../export-input.ts';
import { jobEnvelope } from '../views.ts';
import type { CreateParts } from './create-parts.ts';

const MAX_PREFERRED_WAIT_SECONDS = 60;

/**
 * Waits for the job and sends its current state. By default it waits for a new job during the sync window and does not
 * wait for a replay; `Prefer: wait` overrides both.
 */
export async function answerWithJob(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { result: job, replayed, headers }: Once<JobRecord>,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const waitMs = preferredWaitMs(request) ?? (replayed ? 0 : parts.settings.syncWaitMs);
  const ended = AbortSignal.any([shutdown, clientGone(reply)]);
  const settled = waitMs > 0 ? await parts.engine.wait(job.id, waitMs, ended) : job;
  return sendJob(parts, reply.headers(headers), settled);
}

/** Sends 202 for an open job, 500 for a failed one in response mode, otherwise 200. Webhook mode contains no result. */
async function sendJob(parts: CreateParts, reply: FastifyReply, job: JobRecord): Promise<FastifyReply> {
  const { mode } = (job.input as unknown as ExportInput).delivery;
  const delivery = mode === 'response' ? await findDelivery(parts.db, job.id) : undefined;
  const status = job.settled_at === null ? 202 : job.state === 'failed' && mode === 'response' ? 500 : 200;
  if (status === 202) reply.headers({ location: `/v1/bulkfill/export-jobs/${job.id}`, 'retry-after': '1' });
  return reply.status(status).send(jobEnvelope(parts, job, delivery));
}

/** Returns the `wait` of RFC 7240, in milliseconds. */
function preferredWaitMs(request: FastifyRequest): number | undefined {
  const match = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/i.exec(String(request.headers.prefer ?? ''));
  return match === null ? undefined : Math.min(Number(match[1]), MAX_PREFERRED_WAIT_SECONDS) * 1000;
}
