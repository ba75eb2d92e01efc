import { faultPoint } from '#lib/fault-points.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  countWaitingDeliveries,
  type FinishedAttempt,
  findWebhookDelivery,
  finishAttempt,
} from '#storage/webhooks.ts';
import { type PostResult, postWebhook } from './post-webhook.ts';
import { nextAttempt } from './retry-schedule.ts';
import type { WebhookParts } from './webhook-parts.ts';
import { getScheme, webhookHeaders } from './webhook-scheme.ts';
import { openSecrets } from './webhook-secrets.ts';

/**
 * The outcome of one attempt at one delivery: claim (fence and lease), send, record.
 *
 *   pending ──claim──▶ attempt n recorded as begun ──send──▶ 2xx: delivered
 *      ▲                        │ crash: the lease ends        other: pending at the next offset,
 *      └────────────────────────┴───────────────────────────          or exhausted after the last
 *
 * A crash between send and record sends the event again, with the same id and bytes: receivers deduplicate events by
 * id. A send after a recorded 2xx and two concurrent attempts cannot happen: only the holder of the lease sends, it
 * stops well before the lease ends, and its attempt number fences what it records.
 */
export type AttemptOutcome =
  | { readonly outcome: 'delivered' | 'exhausted' | 'late' | 'settled' }
  | { readonly outcome: 'waiting'; readonly until: Date };

/** Added to the timeout: time to end the response gracefully and to record the result. */
const LEASE_MARGIN_MS = 10_000;
/** A process that was suspended for longer between claim and send may no longer hold the lease. */
const MAX_START_DELAY_MS = 4_000;
/** Crashes do not count as attempts of the schedule, but a delivery that always crashes must end too. */
const MAX_INTERRUPTED = 20;

export async function handleWebhookTask(
  parts: WebhookParts,
  { deliveryId }: { readonly deliveryId: string },
): Promise<AttemptOutcome> {
  const startedAt = parts.clock.now();
  const leaseEndsAt = new Date(startedAt.getTime() + parts.settings.timeoutMs + LEASE_MARGIN_MS);
  const claimed = await claimDelivery(parts.database.db, deliveryId, startedAt, leaseEndsAt);
  if (claimed === undefined) return waitOrForget(parts, deliveryId);
  if (claimed.attempt - claimed.failures > MAX_INTERRUPTED) {
    return record(parts, claimed, { ok: false, status: undefined, error: 'given up: interrupted too often' });
  }
  await faultPoint('webhook.before-send');
  if (parts.clock.now().getTime() - startedAt.getTime() > MAX_START_DELAY_MS) {
    parts.counters.attempted(claimed.scheme, 'late');
    return waitOrForget(parts, deliveryId);
  }
  const result = await send(parts, claimed);
  await faultPoint('webhook.after-send');
  const outcome = await recordPatiently(parts, claimed, result);
  await faultPoint('webhook.after-record');
  return outcome;
}

async function send(parts: WebhookParts, claimed: ClaimedDelivery): Promise<PostResult> {
  const { settings, resolve } = parts;
  const { target_url: url, body } = claimed;
  const headers = webhookHeaders(getScheme(parts.schemes, claimed.scheme), {
    eventId: claimed.event_id,
    type: claimed.type,
    at: parts.clock.now(),
    body,
    secrets: openSecrets(parts.secrets, claimed.secrets),
  });
  const { allow, timeoutMs, ca } = settings;
  return postWebhook({ url, headers, body }, { allow, resolve, timeoutMs, ca });
}

/**
 * Records a result even if the database is unavailable at first. The receiver has the event, and another attempt would send
 * it again. The attempt number rejects a result that comes too late.
 */
async function recordPatiently(
  parts: WebhookParts,
  claimed: ClaimedDelivery,
  result: PostResult,
): Promise<AttemptOutcome> {
  for (;;) {
    try {
      return await record(parts, claimed, result);
    } catch (error) {
      if (await parts.services.check(['database'])) throw error;
      await parts.services.available(['database']);
    }
  }
}

type Result = Pick<PostResult, 'ok' | 'status'> & { readonly error?: string };

async function record(
  parts: WebhookParts,
  claimed: ClaimedDelivery,
  result: Result,
): Promise<AttemptOutcome> {
  const now = parts.clock.now();
  const then = whatFollows(parts, claimed, result, now);
  const { id: deliveryId, attempt } = claimed;
  const { status, error } = result;
  const fenced = await parts.database.db.transaction().execute(async (tx) => {
    if (!(await finishAttempt(tx, { deliveryId, attempt, now, status, error, then }))) return false;
    if (then.state === 'pending') {
      const waiting = await countWaitingDeliveries(tx, claimed.account_id);
      await parts.queue.addWebhook(tx, deliveryId, then.nextAttemptAt, waiting);
    }
    return true;
  });
  if (!fenced) {
    parts.counters.attempted(claimed.scheme, 'late');
    return { outcome: 'late' };
  }
  parts.counters.attempted(claimed.scheme, then.state === 'pending' ? 'failed' : then.state);
  return then.state === 'pending'
    ? { outcome: 'waiting', until: then.nextAttemptAt }
    : { outcome: then.state };
}

function whatFollows(
  parts: WebhookParts,
  claimed: ClaimedDelivery,
  result: Result,
  now: Date,
): FinishedAttempt['then'] {
  if (result.ok) return { state: 'delivered' };
  if (claimed.attempt - claimed.failures > MAX_INTERRUPTED) return { state: 'exhausted' };
  const offsets = parts.settings.retrySeconds[claimed.scheme] ?? [];
  const nextAttemptAt = nextAttempt(offsets, claimed.failures + 1, claimed.first_failed_at ?? now, now);
  return nextAttemptAt === undefined ? { state: 'exhausted' } : { state: 'pending', nextAttemptAt };
}

/** Enqueues the task again for when the delivery is due. It was early, or another attempt holds the lease. */
async function waitOrForget(parts: WebhookParts, deliveryId: string): Promise<AttemptOutcome> {
  const delivery = await findWebhookDelivery(parts.database.db, deliveryId);
  const until = delivery?.next_attempt_at;
  if (delivery === undefined || until === null || until === undefined) return { outcome: 'settled' };
  await parts.database.db.transaction().execute(async (tx) => {
    const waiting = await countWaitingDeliveries(tx, delivery.account_id);
    await parts.queue.addWebhook(tx, deliveryId, until, waiting);
  });
  return { outcome: 'waiting', until };
}
