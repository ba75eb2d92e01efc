import type { Insertable, Selectable, Updateable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { WebhookSubscriptions } from '../db-types.ts';
import type { Position } from './people.ts';

export type WebhookSubscriptionRecord = Selectable<WebhookSubscriptions>;

/** Returns false if the account already has `limit` subscriptions. The lock serializes concurrent creates. */
export async function insertWebhookSubscription(
  tx: Tx,
  row: Insertable<WebhookSubscriptions>,
  limit: number,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${row.account_id}, 6))`.execute(tx);
  const { count } = await tx
    .selectFrom('webhook_subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow();
  if (count >= limit) return false;
  await tx.insertInto('webhook_subscriptions').values(row).execute();
  return true;
}

export function findWebhookSubscription(
  db: Db,
  accountId: string,
  id: string,
): Promise<WebhookSubscriptionRecord | undefined> {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function listWebhookSubscriptions(
  db: Db,
  accountId: string,
  page: { readonly limit: number; readonly after: Position | undefined },
): Promise<WebhookSubscriptionRecord[]> {
  const { after } = page;
  const beyond = after === undefined ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<WebhookSubscriptionRecord>`
    select * from webhook_subscriptions where account_id = ${accountId} and ${beyond}
    order by created_at desc, id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}

export function listActiveWebhookSubscriptions(
  db: Db,
  accountId: string,
): Promise<WebhookSubscriptionRecord[]> {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'active')
    .orderBy('created_at')
    .execute();
}

export function updateWebhookSubscription(
  db: Db,
  accountId: string,
  id: string,
  values: Updateable<WebhookSubscriptions>,
): Promise<WebhookSubscriptionRecord | undefined> {
  return db
    .updateTable('webhook_subscriptions')
    .set(values)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteWebhookSubscription(db: Db, accountId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('webhook_subscriptions')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export interface DeliverySummary {
  readonly target_url: string;
  readonly attempts: number;
  readonly last_delivered_at: Date | null;
  readonly last_failed_at: Date | null;
  readonly last_error: string | null;
}

/** Summarizes the deliveries to these addresses. */
export async function summariseDeliveries(
  db: Db,
  accountId: string,
  urls: readonly string[],
): Promise<ReadonlyMap<string, DeliverySummary>> {
  if (urls.length === 0) return new Map();
  const { rows } = await sql<DeliverySummary>`
    select d.target_url, count(a.n) as attempts,
      max(a.finished_at) filter (where a.status between 200 and 299) as last_delivered_at,
      max(a.finished_at) filter (where a.error is not null or a.status not between 200 and 299) as last_failed_at,
      (array_agg(coalesce(a.error, 'status ' || a.status) order by a.finished_at desc)
         filter (where a.error is not null or a.status not between 200 and 299))[1] as last_error
    from webhook_deliveries d join events e on e.id = d.event_id and e.surface = 'subscribers'
    join webhook_attempts a on a.delivery_id = d.id
    where d.account_id = ${accountId} and d.target_url = any(${urls}) and a.finished_at is not null
    group by d.target_url`.execute(db);
  return new Map(rows.map((row) => [row.target_url, row]));
}
