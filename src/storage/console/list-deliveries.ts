import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database.ts';

export interface ListedDelivery {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly surface: string;
  readonly job_id: string | null;
  readonly account_name: string;
  readonly target_url: string;
  readonly scheme: string;
  readonly state: 'pending' | 'delivered' | 'exhausted';
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly next_attempt_at: Date | null;
  readonly delivered_at: Date | null;
  readonly created_at: Date;
}

export interface DeliveryFilter {
  readonly id?: string | undefined;
  readonly accountId?: string | undefined;
  /** A state, or `failing`: pending after a failed attempt. */
  readonly state?: string | undefined;
  /** An event's type, or its id. */
  readonly eventType?: string | undefined;
  readonly eventId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns the newest first (ids are time-ordered), one more than the limit. */
export async function listDeliveries(db: Db, filter: DeliveryFilter): Promise<ListedDelivery[]> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (filter.id !== undefined) conditions.push(sql`d.id = ${filter.id}`);
  if (filter.accountId !== undefined) conditions.push(sql`d.account_id = ${filter.accountId}`);
  if (filter.state === 'failing') conditions.push(sql`d.state = 'pending' and d.first_failed_at is not null`);
  else if (filter.state !== undefined) conditions.push(sql`d.state = ${filter.state}`);
  if (filter.eventType !== undefined) conditions.push(sql`e.type = ${filter.eventType}`);
  if (filter.eventId !== undefined) conditions.push(sql`d.event_id = ${filter.eventId}`);
  if (filter.jobId !== undefined) conditions.push(sql`e.job_id = ${filter.jobId}`);
  if (filter.before !== undefined) conditions.push(sql`d.id < ${filter.before}`);
  const { rows } = await sql<ListedDelivery>`
    select d.id, d.event_id, e.type as event_type, e.surface, e.job_id, a.name as account_name, d.target_url, d.scheme,
      d.state, d.attempt as attempts, last.status as last_status, last.error as last_error, d.next_attempt_at,
      d.delivered_at, d.created_at
    from webhook_deliveries d join events e on e.id = d.event_id join accounts a on a.id = d.account_id
    left join lateral (select status, error from webhook_attempts t where t.delivery_id = d.id
                       order by n desc limit 1) last on true
    where ${sql.join(conditions, sql` and `)}
    order by d.id desc limit ${filter.limit + 1}`.execute(db);
  return rows;
}

export async function findEventBody(db: Db, eventId: string): Promise<Buffer | undefined> {
  const event = await db.selectFrom('events').select('body').where('id', '=', eventId).executeTakeFirst();
  return event?.body;
}

/** Ends a test event after its one attempt. A failed one is not retried, and health does not count it as given up. */
export async function endTestDelivery(db: Db, deliveryId: string): Promise<void> {
  await sql`
    update webhook_deliveries set state = 'exhausted', next_attempt_at = null, given_up_at = null
    where id = ${deliveryId} and state <> 'delivered'`.execute(db);
}
