import { insertArtifact, insertDelivery } from '#storage/artifacts.ts';
import { referBlobs } from '#storage/blob-records.ts';
import type { Tx } from '#storage/database.ts';
import type { JobRecord } from '#storage/jobs/find-jobs.ts';
import { settleJob } from '#storage/jobs/settle-job.ts';
import { settleQuota } from '#storage/quota.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { JobOutcome, NewArtifact } from '../job-kind.ts';

export interface Settlement {
  readonly jobId: string;
  readonly attempt: number | undefined;
  readonly outcome: JobOutcome;
  readonly cancelled?: boolean;
}

/**
 * Ends a job once: state, artifact, delivery, quota, the kind's own write, event and webhook deliveries commit with the
 * caller's transaction. Returns undefined, with nothing written, if the job has already ended or a later attempt settles it.
 * `webhooks` is the number of deliveries that it queued.
 */
export async function commitSettlement(
  parts: EngineParts,
  tx: Tx,
  settlement: Settlement,
): Promise<{ readonly webhooks: number } | undefined> {
  const { outcome } = settlement;
  const now = parts.clock.now();
  const job = await settleJob(tx, {
    jobId: settlement.jobId,
    attempt: settlement.attempt,
    state: outcome.state,
    outcome: outcome.outcome,
    error: outcome.state === 'failed' ? outcome.error : undefined,
    cancelled: settlement.cancelled === true,
    now,
  });
  if (job === undefined) return undefined;
  await settleQuota(tx, job.id, outcome.state === 'completed', now);
  const artifact = outcome.state === 'completed' ? outcome.artifact : undefined;
  const delivery = artifact && (await insertDeliverable(parts, tx, job, artifact, now));
  await outcome.write?.(tx);
  const webhooks = await announceSettled(parts, tx, job, delivery);
  await parts.onSettled(tx, job);
  return { webhooks };
}

async function insertDeliverable(
  parts: EngineParts,
  tx: Tx,
  job: JobRecord,
  artifact: NewArtifact,
  now: Date,
): Promise<{ id: string; expiresAt: Date }> {
  if (!(await referBlobs(tx, job.id, 'artifact', artifact.blobs)))
    throw new Error(`bug: a blob of job ${job.id} was swept while it settled`);
  const artifactId = parts.ids.uuid();
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  const { artifactSeconds, deliverySeconds } = parts.settings;
  const delivered = artifact.deliverySeconds ?? deliverySeconds;
  await insertArtifact(tx, {
    id: artifactId,
    job_id: job.id,
    account_id: job.account_id,
    media_type: artifact.mediaType,
    size_bytes: artifact.sizeBytes,
    etag: artifact.etag,
    parts: artifact.parts,
    made_at: now,
    purge_at: after(Math.max(artifactSeconds, deliverySeconds, delivered)),
  });
  const delivery = {
    id: parts.ids.uuid(),
    expiresAt: after(delivered),
  };
  await insertDelivery(tx, {
    id: delivery.id,
    job_id: job.id,
    artifact_id: artifactId,
    expires_at: delivery.expiresAt,
  });
  return delivery;
}

/**
 * Writes the one event of the job, with an id that stays the same across retries. Returns the number of deliveries.
 */
export async function announceSettled(
  parts: EngineParts,
  tx: Tx,
  job: JobRecord,
  delivery: { id: string; expiresAt: Date } | undefined,
): Promise<number> {
  const kind = parts.kinds.get(job.kind);
  const eventId = parts.ids.uuid();
  const announcement = await kind.announce?.({ job, input: job.input, eventId, delivery }, tx);
  if (announcement === undefined) return 0;
  if (job.settled_at === null) throw new Error(`bug: job ${job.id} was announced before it settled`);
  await parts.outbox.record(tx, {
    ...announcement,
    eventId,
    accountId: job.account_id,
    jobId: job.id,
    occurredAt: job.settled_at,
  });
  return announcement.targets.length;
}
