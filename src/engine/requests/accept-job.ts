import { faultPoint } from '#lib/fault-points.ts';
import { type ArtifactRecord, findReusableArtifact, insertDelivery } from '#storage/artifacts.ts';
import { owesEntry, writeDueEntry } from '#storage/console/due-entry.ts';
import type { Tx } from '#storage/database.ts';
import { getJob, type JobRecord } from '#storage/jobs/find-jobs.ts';
import { type AcceptedRows, insertAccepted, insertJob } from '#storage/jobs/insert-accepted.ts';
import { insertLedgerRow, reserveBalance, settleQuota } from '#storage/quota.ts';
import { claimRequestKey, type RequestKeyClaim, type StoredResponse } from '#storage/request-keys.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { JobPlan } from '../job-kind.ts';
import { announceSettled } from '../jobs/commit-settlement.ts';
import { quotaPeriod } from '../limits/quota-period.ts';
import type { JobIntake } from './job-intake.ts';
import { findTaken, type RequestIdentity, type Taken, toClaim } from './request-identity.ts';

export interface AcceptRequest {
  readonly accountId: string;
  readonly kind: string;
  readonly input: unknown;
  /** Undefined: every call is a new job (a surface that does not require a key). */
  readonly identity?: RequestIdentity;
  readonly requestId?: string;
  /** Digests of the blobs that the job reads. They are stored before; this call makes the job refer to them. */
  readonly blobs?: readonly string[];
  /** Rows to reserve. `limit` is null for a plan without a limit. */
  readonly quota?: { readonly rows: number; readonly limit: number | null };
  /** The artifact of an earlier job of this account with the same digest is used instead of new work. */
  readonly workDigest?: Buffer;
  /** The response to store with the key, for surfaces that replay it. */
  readonly response?: (job: { id: string; createdAt: Date }) => StoredResponse;
  /** Further effects that commit with the acceptance. If it throws, everything is rolled back. A replay does not call it. */
  readonly alongside?: (tx: Tx, job: JobRecord) => Promise<void>;
}

export type Accepted =
  | { readonly outcome: 'accepted'; readonly job: JobRecord }
  | Taken
  | { readonly outcome: 'quota-exceeded' }
  /** An input was deleted since its upload (it is kept for an hour). The caller must upload it again. */
  | { readonly outcome: 'blobs-gone' };

/** Rolls the transaction back and carries the outcome out of it. */
class NotAccepted extends Error {
  readonly answer: Exclude<Accepted, { outcome: 'accepted' }>;

  constructor(answer: Exclude<Accepted, { outcome: 'accepted' }>) {
    super(answer.outcome);
    this.answer = answer;
  }
}

/**
 * Accepts a job: request key, job, slices, quota, blob references and queue entries commit together. Only an accepted job
 * claims its key. Most jobs are written by one statement, together with others that arrive at the same time. Those with
 * further effects, a limited plan, no slices or a reused artifact have their own transaction.
 */
export async function acceptJob(
  parts: EngineParts,
  intake: JobIntake,
  request: AcceptRequest,
): Promise<Accepted> {
  const plan = parts.kinds.get(request.kind).plan(request.input);
  const id = parts.ids.randomUuid();
  const now = parts.clock.now();
  await faultPoint('accept.before-claim');
  const answer =
    (await acceptInGroup(parts, intake, request, id, plan, now)) ??
    (await acceptInTransaction(parts, request, id, plan, now));
  if (answer.outcome !== 'accepted') return answer;
  await faultPoint('accept.after-commit');
  parts.counters.accepted(request.kind);
  if (answer.job.state === 'queued') parts.signals.workAdded(plan.slices.length > 0 ? 'slice' : 'settle');
  else parts.signals.workAdded('webhook');
  return answer;
}

/** Returns undefined if the job needs its own transaction. */
async function acceptInGroup(
  parts: EngineParts,
  intake: JobIntake,
  request: AcceptRequest,
  id: string,
  plan: JobPlan<unknown>,
  now: Date,
): Promise<Accepted | undefined> {
  const { quota, accountId, identity } = request;
  const isLimited = quota !== undefined && quota.limit !== null;
  const isEmpty = plan.slices.length === 0;
  if (isLimited || isEmpty || request.alongside !== undefined || owesEntry()) return undefined;
  const rows = rowsOf(request, id, plan, now, request.workDigest !== undefined);
  const outcome = await intake.insert(rows);
  switch (outcome) {
    case 'accepted':
      return { outcome, job: toRecord(rows) };
    case 'taken':
      return findTaken(parts.database.db, accountId, identityOf(identity), now);
    case 'gone':
      return { outcome: 'blobs-gone' };
    case 'reusable':
      return undefined;
  }
}

async function acceptInTransaction(
  parts: EngineParts,
  request: AcceptRequest,
  id: string,
  plan: JobPlan<unknown>,
  now: Date,
): Promise<Accepted> {
  try {
    const job = await parts.database.db.transaction().execute(async (tx) => {
      const reusable =
        request.workDigest && (await findReusableArtifact(tx, request.accountId, request.workDigest, now));
      const accepted = reusable
        ? await insertReused(parts, tx, request, id, plan, reusable, now)
        : await insertFresh(parts, tx, request, id, plan, now);
      await request.alongside?.(tx, accepted);
      await writeDueEntry(tx, { job_id: accepted.id });
      await faultPoint('accept.before-commit');
      return accepted;
    });
    return { outcome: 'accepted', job };
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    return error.answer;
  }
}

function identityOf(identity: RequestIdentity | undefined): RequestIdentity {
  if (identity === undefined) throw new Error('bug: a job without a key was rejected because of its key');
  return identity;
}

function claimOf(request: AcceptRequest, jobId: string, now: Date): RequestKeyClaim | undefined {
  if (request.identity === undefined) return undefined;
  const response = request.response?.({ id: jobId, createdAt: now });
  return {
    ...toClaim(request.accountId, request.identity, jobId, now),
    ...(response !== undefined && { response }),
  };
}

async function refuseTaken(tx: Tx, { accountId, identity }: AcceptRequest, now: Date): Promise<never> {
  throw new NotAccepted(await findTaken(tx, accountId, identityOf(identity), now));
}

async function insertFresh(
  parts: EngineParts,
  tx: Tx,
  request: AcceptRequest,
  id: string,
  plan: JobPlan<unknown>,
  now: Date,
): Promise<JobRecord> {
  const { quota, accountId } = request;
  const rows = rowsOf(request, id, plan, now, false);
  const outcome = (await insertAccepted(tx, [rows])).get(id);
  if (outcome === 'gone') throw new NotAccepted({ outcome: 'blobs-gone' });
  if (outcome !== 'accepted') return refuseTaken(tx, request, now);
  await faultPoint('accept.after-claim');
  if (quota !== undefined && quota.limit !== null) {
    const period = quotaPeriod(now);
    const reserved = await reserveBalance(tx, { accountId, period, rows: quota.rows, limit: quota.limit });
    if (!reserved) throw new NotAccepted({ outcome: 'quota-exceeded' });
  }
  if (plan.slices.length === 0) await parts.queue.addSettle(tx, id);
  return toRecord(rows);
}

/** Inserts a job that is completed at once with an earlier job's artifact. It is not billed, and announced like any other. */
async function insertReused(
  parts: EngineParts,
  tx: Tx,
  request: AcceptRequest,
  id: string,
  plan: JobPlan<unknown>,
  artifact: ArtifactRecord,
  now: Date,
): Promise<JobRecord> {
  const claim = claimOf(request, id, now);
  if (claim !== undefined && !(await claimRequestKey(tx, claim))) return refuseTaken(tx, request, now);
  await faultPoint('accept.after-claim');
  const lender = await getJob(tx, artifact.job_id);
  await insertJob(tx, {
    ...jobRow(request, id, plan, now),
    request_key: request.identity?.key ?? null,
    state: 'completed',
    started_at: now,
    settled_at: now,
    slices_total: 0,
    rows_done: lender.rows_done,
    rows_failed: lender.rows_failed,
    outcome: lender.outcome,
    reused_from: artifact.job_id,
  });
  if (request.quota !== undefined) {
    await insertLedgerRow(tx, {
      jobId: id,
      accountId: request.accountId,
      period: quotaPeriod(now),
      rows: 0,
      limit: null,
      now,
    });
    await settleQuota(tx, id, false, now);
  }
  const expiresAt = new Date(
    Math.min(now.getTime() + parts.settings.deliverySeconds * 1000, artifact.purge_at.getTime()),
  );
  const delivery = { id: parts.ids.uuid(), expiresAt };
  await insertDelivery(tx, { id: delivery.id, job_id: id, artifact_id: artifact.id, expires_at: expiresAt });
  const job = await getJob(tx, id);
  await announceSettled(parts, tx, job, delivery);
  return job;
}

function rowsOf(
  request: AcceptRequest,
  id: string,
  plan: JobPlan<unknown>,
  now: Date,
  unlessReusable: boolean,
): AcceptedRows {
  const { quota, blobs = [], input } = request;
  return {
    claim: claimOf(request, id, now),
    job: { ...jobRow(request, id, plan, now), input: JSON.stringify(input) },
    slices: plan.slices,
    ledger: quota && { period: quotaPeriod(now), rows: quota.rows, limited: quota.limit !== null },
    blobs,
    unlessReusable,
  };
}

/** The job as the database holds it now. Reading it back would send its input twice. */
function toRecord({ job, claim }: AcceptedRows): JobRecord {
  return {
    ...job,
    request_key: claim?.key ?? null,
    state: 'queued',
    input: JSON.parse(job.input),
    outcome: null,
    error_code: null,
    error_message: null,
    error_details: null,
    cancelled: false,
    slices_done: 0,
    rows_done: 0,
    rows_failed: 0,
    settle_attempt: 0,
    settle_excused: 0,
    reused_from: null,
    started_at: null,
    settled_at: null,
  };
}

function jobRow(request: AcceptRequest, id: string, plan: JobPlan<unknown>, now: Date) {
  return {
    id,
    account_id: request.accountId,
    kind: request.kind,
    input: request.input,
    ordered: plan.ordered === true,
    fail_limit: plan.failLimit ?? null,
    slices_total: plan.slices.length,
    rows_total: plan.slices.reduce((sum, slice) => sum + slice.rows, 0),
    request_id: request.requestId ?? null,
    work_digest: request.workDigest ?? null,
    created_at: now,
  };
}
