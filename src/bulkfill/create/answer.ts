import type { FastifyReply, FastifyRequest } from 'fastify';
import { cooldownFor } from '#engine/limits/cooldowns.ts';
import { clientGone } from '#http/client-gone.ts';
import { onlyValue } from '#http/dialects/dialect-spec.ts';
import { getPrincipal } from '#http/principal.ts';
import { findDelivery } from '#storage/artifacts.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { cooldownCodes, refuse } from '../errors.ts';
import { EXPORT_KIND, type ExportInput } from '../export-input.ts';
import { jobEnvelope } from '../views.ts';
import { type Created, createExport } from './create-export.ts';
import type { CreateParts } from './create-parts.ts';

const KEY = /^[A-Za-z0-9._:-]{1,128}$/;
const MAX_PREFERRED_WAIT_SECONDS = 60;

/** Creates pause while an account's jobs keep failing; replays pause too, reads never. */
export async function refuseDuringCooldown(parts: CreateParts, request: FastifyRequest): Promise<void> {
  const { accountId } = getPrincipal(request);
  const pause = await cooldownFor(
    parts.db,
    parts.settings.cooldowns,
    accountId,
    EXPORT_KIND,
    parts.clock.now(),
  );
  if (pause !== undefined)
    throw refuse(cooldownCodes[pause.reason], undefined, { retryAfterSeconds: pause.retryAfterSeconds });
}

/** Runs before the body is looked at, so that a request without a usable key costs no upload. */
export async function requireIdempotencyKey(request: FastifyRequest): Promise<void> {
  idempotencyKey(request);
}

export function idempotencyKey(request: FastifyRequest): string {
  const key = onlyValue(request.raw, 'idempotency-key');
  if (key !== undefined && KEY.test(key)) return key;
  throw refuse(
    'INVALID_IDEMPOTENCY_KEY',
    'Idempotency-Key must be sent exactly once, with 1 to 128 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-".',
  );
}

/** POST …/export-jobs: accepts or replays, waits a little, and answers with the job as it is then. */
export async function answerCreate(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const key = idempotencyKey(request);
  const created = await createExport(parts, request, key, clientGone(reply));
  return waitAndAnswer(parts, request, reply, created, shutdown);
}

/** A new job is waited for as long as the sync window, a replay not at all, unless the caller prefers otherwise. */
export async function waitAndAnswer(
  parts: CreateParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { job, replayed }: Created,
  shutdown: AbortSignal,
): Promise<FastifyReply> {
  const waitMs = preferredWaitMs(request) ?? (replayed ? 0 : parts.settings.syncWaitMs);
  const ended = AbortSignal.any([shutdown, clientGone(reply)]);
  const settled = waitMs > 0 ? await parts.engine.wait(job.id, waitMs, ended) : job;
  return sendJob(parts, reply, settled);
}

/** 202 while open; settled: 200, but 500 for a failed response-mode job; webhook mode never shows a result here. */
async function sendJob(parts: CreateParts, reply: FastifyReply, job: JobRecord): Promise<FastifyReply> {
  const { mode } = (job.input as unknown as ExportInput).delivery;
  const delivery = mode === 'response' ? await findDelivery(parts.db, job.id) : undefined;
  const status = job.settled_at === null ? 202 : job.state === 'failed' && mode === 'response' ? 500 : 200;
  if (status === 202) reply.headers({ location: `/v1/bulkfill/export-jobs/${job.id}`, 'retry-after': '1' });
  return reply.status(status).send(jobEnvelope(job, delivery, parts.clock.now()));
}

/** RFC 7240 `wait`, in whole seconds. */
function preferredWaitMs(request: FastifyRequest): number | undefined {
  const match = /(?:^|[,;\s])wait=(\d{1,4})(?:$|[,;\s])/i.exec(String(request.headers.prefer ?? ''));
  return match === null ? undefined : Math.min(Number(match[1]), MAX_PREFERRED_WAIT_SECONDS) * 1000;
}
