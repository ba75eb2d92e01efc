import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from './database.ts';
import type { WebhookAttempts, WebhookDeliveries } from './db-types.ts';
import { withoutNestedLoops } from './without-nested-loops.ts';

export interface NewEvent {
  readonly id: string;
  readonly account_id: string;
  readonly surface: string;
  readonly type: string;
  readonly job_id: string | null;
  /** The exact bytes that every attempt sends. */
  readonly body: Buffer;
  readonly occurred_at: Date;
}

export interface NewDelivery {
  readonly id: string;
  readonly target_url: string;
  readonly scheme: string;
  /** Sealed. */
  readonly secrets: Buffer;
}

/**
 * Inserts an event and its deliveries, which are due now. A job has one event; a second insert violates a unique key.
 */
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

export interface ClaimedDelivery {
  readonly id: string;
  /** Fences every later write of this attempt. */
  readonly attempt: number;
  readonly account_id: string;
  readonly target_url: string;
  readonly secrets: Buffer;
  readonly scheme: string;
  readonly first_failed_at: Date | null;
  readonly event_id: string;
  readonly type: string;
  readonly body: Buffer;
  /** Attempts that ended in failure, without those that a crash interrupted. */
  readonly failures: number;
}

/**
 * Starts one attempt in one statement: claims the delivery if it is due, records the start, and closes the record of an
 * attempt that a crash left open.
 *
 * `next_attempt_at` moves to the end of this attempt's lease. No second attempt starts meanwhile, and after a crash the
 * delivery becomes due again by itself. Returns undefined if the delivery is settled, unknown, or not due.
 */
export async function claimDelivery(
  db: Db,
  deliveryId: string,
  now: Date,
  leaseEndsAt: Date,
): Promise<ClaimedDelivery | undefined> {
  const { rows } = await sql<ClaimedDelivery>`
    with claimed as (
      update webhook_deliveries set attempt = attempt + 1, next_attempt_at = ${leaseEndsAt}
      where id = ${deliveryId} and state = 'pending' and next_attempt_at <= ${now}
      returning *
    ), interrupted as (
      update webhook_attempts a set finished_at = ${now}, error = 'interrupted'
      from claimed c where a.delivery_id = c.id and a.finished_at is null
    ), begun as (
      insert into webhook_attempts (delivery_id, n, started_at) select id, attempt, ${now} from claimed
    )
    select c.id, c.attempt, c.account_id, c.target_url, c.secrets, c.scheme, c.first_failed_at,
      e.id as event_id, e.type, e.body,
      (select count(*) from webhook_attempts a
       where a.delivery_id = c.id and a.finished_at is not null and a.error is distinct from 'interrupted') as failures
    from claimed c join events e on e.id = c.event_id`.execute(db);
  return rows[0];
}

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
 * Ends an attempt: its record and the state of the delivery. Returns false, and writes nothing, if a later attempt has
 * begun or the delivery has settled.
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
        given_up_at = ${then.state === 'exhausted' ? now : null},
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

/** A delivery without its secrets, which no reader needs. */
export type DeliveryRecord = Omit<Selectable<WebhookDeliveries>, 'secrets'>;

const columns = [
  'id',
  'event_id',
  'account_id',
  'target_url',
  'scheme',
  'state',
  'attempt',
  'first_failed_at',
  'next_attempt_at',
  'delivered_at',
  'given_up_at',
  'created_at',
] as const;

export function findWebhookDelivery(db: Db, id: string): Promise<DeliveryRecord | undefined> {
  return db.selectFrom('webhook_deliveries').select(columns).where('id', '=', id).executeTakeFirst();
}

export function listAttempts(db: Db, deliveryId: string): Promise<Selectable<WebhookAttempts>[]> {
  return db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('n')
    .execute();
}

/**
 * Makes the next attempt of a pending delivery due now. Returns false if it is not pending or an attempt is running.
 */
export async function hastenDelivery(tx: Tx, deliveryId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries d set next_attempt_at = least(next_attempt_at, ${now})
    where id = ${deliveryId} and state = 'pending'
      and not exists (select from webhook_attempts a where a.delivery_id = d.id and a.finished_at is null)
    returning id`.execute(tx);
  return rows.length === 1;
}

/**
 * Creates a new delivery of the same event to the same target, due now. Returns false if the delivery is unknown or not
 * settled yet.
 */
export async function copySettledDelivery(
  tx: Tx,
  deliveryId: string,
  newId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_deliveries
      (id, event_id, account_id, target_url, secrets, scheme, state, next_attempt_at, created_at)
    select ${newId}::uuid, event_id, account_id, target_url, secrets, scheme, 'pending', ${now}, ${now}
    from webhook_deliveries where id = ${deliveryId} and state <> 'pending'
    returning id`.execute(tx);
  return rows.length === 1;
}

/** Maximum count of pending deliveries per account. A higher count would not change any account's position. */
const CAP = 10_000;

export async function countWaitingDeliveries(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from webhook_deliveries where account_id = ${accountId} and state = 'pending' limit ${CAP}) waiting`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export interface StrandedDelivery {
  readonly id: string;
  readonly account_id: string;
}

/**
 * Lists deliveries that were due before `dueBefore` and have no live queue entry. A lost queue row would otherwise
 * strand them forever.
 */
export function listStrandedDeliveries(db: Db, dueBefore: Date, limit: number): Promise<StrandedDelivery[]> {
  return withoutNestedLoops(db, async (tx) => {
    const { rows } = await sql<StrandedDelivery>`
    select d.id, d.account_id from webhook_deliveries d
    where d.state = 'pending' and d.next_attempt_at < ${dueBefore}
      and not exists (
        select from pgboss.job q
        where q.name = 'webhook' and q.singleton_key = d.id::text and q.state in ('created', 'retry', 'active'))
    order by d.next_attempt_at limit ${limit}`.execute(tx);
    return rows;
  });
}
