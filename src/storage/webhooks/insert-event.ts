import type { Tx } from '../database.ts';

export interface NewEvent {
  readonly id: string;
  readonly account_id: string;
  readonly surface: string;
  readonly type: string;
  readonly job_id: string | null;
  /** The exact bytes every attempt sends. */
  readonly body: Buffer;
  readonly occurred_at: Date;
}

export interface NewDelivery {
  readonly id: string;
  readonly target_url: string;
  readonly scheme: 'bulkfill' | 'standard' | 'ingest';
  /** Sealed. */
  readonly secrets: Buffer;
}

/** An event and what must be delivered of it, due now. A job has one event: a second insert violates a key. */
export async function insertEventWithDeliveries(
  tx: Tx,
  event: NewEvent,
  deliveries: readonly NewDelivery[],
  now: Date,
): Promise<void> {
  await tx.insertInto('events').values(event).execute();
  if (deliveries.length === 0) return;
  const rows = deliveries.map((delivery) => ({
    ...delivery,
    event_id: event.id,
    account_id: event.account_id,
    state: 'pending',
    next_attempt_at: now,
    created_at: now,
  }));
  await tx.insertInto('webhook_deliveries').values(rows).execute();
}
