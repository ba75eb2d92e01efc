import type { ListedDelivery } from '#storage/console/list-deliveries.ts';
import type { listAttempts } from '#storage/webhooks.ts';

export function showDelivery(delivery: ListedDelivery) {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    event: delivery.event_type,
    surface: delivery.surface,
    job_id: delivery.job_id,
    account: delivery.account_name,
    target: delivery.target_url,
    scheme: delivery.scheme,
    state: delivery.state,
    attempts: delivery.attempts,
    last_status: delivery.last_status,
    last_error: delivery.last_error,
    next_attempt_at: delivery.next_attempt_at?.toISOString() ?? null,
    delivered_at: delivery.delivered_at?.toISOString() ?? null,
    created_at: delivery.created_at.toISOString(),
  };
}

export type AttemptRecord = Awaited<ReturnType<typeof listAttempts>>[number];

/** One attempt; `ms` is null while it runs. Only the status of the response is stored. */
export function showAttempt({ n, started_at, finished_at, status, error }: AttemptRecord) {
  return {
    n,
    at: started_at.toISOString(),
    ms: finished_at === null ? null : finished_at.getTime() - started_at.getTime(),
    status,
    error,
  };
}
