import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export interface FinishedAttempt {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly now: Date;
  readonly status: number | undefined;
  readonly error: string | undefined;
  readonly then:
    | { readonly state: 'delivered' }
    | { readonly state: 'exhausted' }
    | { readonly state: 'pending'; readonly nextAttemptAt: Date };
}

/**
 * Ends an attempt: its record, and what becomes of the delivery. False: a later attempt has begun or the
 * delivery has settled, and nothing was written.
 */
export async function finishAttempt(tx: Tx, finished: FinishedAttempt): Promise<boolean> {
  const { deliveryId, attempt, now, then } = finished;
  const delivered = then.state === 'delivered';
  const { rows } = await sql`
    with ended as (
      update webhook_deliveries set
        state = ${then.state},
        next_attempt_at = ${then.state === 'pending' ? then.nextAttemptAt : null},
        delivered_at = ${delivered ? now : null},
        first_failed_at = coalesce(first_failed_at, ${delivered ? null : now})
      where id = ${deliveryId} and attempt = ${attempt} and state = 'pending'
      returning id
    )
    update webhook_attempts a
    set finished_at = ${now}, status = ${finished.status ?? null}, error = ${finished.error ?? null}
    from ended e where a.delivery_id = e.id and a.n = ${attempt}
    returning a.n`.execute(tx);
  return rows.length === 1;
}
