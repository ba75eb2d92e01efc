import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface SubscriberValues {
  readonly email?: { readonly address: string; readonly key: string };
  readonly name?: string;
  readonly status?: string;
  readonly country?: string | null;
  readonly subscribedAt?: Date;
  readonly sequenceIds?: readonly string[];
  /** Merged into the stored fields; null deletes a value. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Finds the id for an email and locks it for the rest of the transaction. */
export async function lockSubscriberByEmail(
  tx: Tx,
  accountId: string,
  key: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('subscribers')
    .select('id')
    .where('account_id', '=', accountId)
    .where('email_key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  return row?.id;
}

/** Locks a subscriber for the rest of the transaction. Returns false if it does not exist. */
export async function lockSubscriber(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from subscribers where id = ${id} and account_id = ${accountId} for no key update`.execute(tx);
  return rows.length === 1;
}

/** Returns false if another subscriber has this email. */
export async function insertSubscriber(
  tx: Tx,
  id: string,
  accountId: string,
  values: SubscriberValues & { readonly email: { readonly address: string; readonly key: string } },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into subscribers (id, account_id, email, email_key, name, status, country, subscribed_at, custom_fields,
                             sequence_ids, created_at, updated_at)
    values (${id}, ${accountId}, ${values.email.address}, ${values.email.key}, ${values.name ?? ''},
            ${values.status ?? 'Active'}, ${values.country ?? null}, ${values.subscribedAt ?? now},
            jsonb_strip_nulls(${JSON.stringify(values.fields ?? {})}::jsonb), ${values.sequenceIds ?? []}::text[], ${now}, ${now})
    on conflict (account_id, email_key) do nothing returning id`.execute(tx);
  return rows.length === 1;
}

/**
 * Updates a subscriber. Undefined members keep the stored value. Throws a unique violation if another subscriber has
 * the new email.
 */
export async function updateSubscriber(
  db: Db,
  accountId: string,
  id: string,
  values: SubscriberValues,
  now: Date,
): Promise<boolean> {
  const { email } = values;
  const country = values.country === undefined ? sql`country` : sql`${values.country}`;
  const { rows } = await sql`
    update subscribers set
      email = coalesce(${email?.address ?? null}, email), email_key = coalesce(${email?.key ?? null}, email_key),
      name = coalesce(${values.name ?? null}, name), status = coalesce(${values.status ?? null}, status),
      country = ${country}, subscribed_at = coalesce(${values.subscribedAt ?? null}, subscribed_at),
      sequence_ids = coalesce(${values.sequenceIds ?? null}::text[], sequence_ids),
      custom_fields = jsonb_strip_nulls(custom_fields || ${JSON.stringify(values.fields ?? {})}::jsonb),
      updated_at = ${now}
    where id = ${id} and account_id = ${accountId} returning id`.execute(db);
  return rows.length === 1;
}

export async function deleteSubscriber(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from subscribers where id = ${id} and account_id = ${accountId} returning id`.execute(db);
  return rows.length === 1;
}

/** Adds tags. Returns how many of them are new to the subscriber. */
export async function tagSubscriber(
  db: Db,
  subscriberId: string,
  tagIds: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    insert into subscriber_tags (tag_id, subscriber_id) select t, ${subscriberId} from unnest(${tagIds}::uuid[]) t
    on conflict do nothing returning tag_id`.execute(db);
  return rows.length;
}

export async function untagSubscriber(db: Db, subscriberId: string, tagId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from subscriber_tags where tag_id = ${tagId} and subscriber_id = ${subscriberId} returning tag_id`.execute(
    db,
  );
  return rows.length === 1;
}

export async function touchSubscriber(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('subscribers').set({ updated_at: now }).where('id', '=', id).execute();
}

/** Rows by column, sorted by key, one row per key. An empty column or a null cell keeps the stored value. */
export interface SubscriberColumns {
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  readonly keys: readonly string[];
  readonly names: readonly string[];
  readonly countries: readonly (string | null)[];
  /** JSON objects of custom fields. */
  readonly fields: readonly (string | null)[];
  /** Empty: the import has no status column. Otherwise every row has a status. */
  readonly statuses: readonly string[];
}

export interface Merge {
  readonly accountId: string;
  readonly columns: SubscriberColumns;
  readonly tagIds: readonly string[];
  readonly sequenceIds: readonly string[];
  readonly now: Date;
}

export interface Merged {
  readonly created: number;
  readonly updated: number;
}

/**
 * Inserts or updates subscribers by email in one statement. Rows must be sorted by key: concurrent merges then wait for
 * each other in one order and cannot deadlock. Unchanged rows are not written. An import never reactivates subscribers
 * who have left (unsubscribed, complained, bounced, blocked).
 */
export async function mergeSubscribers(tx: Tx, merge: Merge): Promise<Merged> {
  const { accountId, columns, now } = merge;
  const said = columns.statuses.length > 0;
  const status = said ? sql`r.status` : sql`'Active'`;
  const newStatus = said
    ? sql`case when s.status in ('Active', 'Unconfirmed') or excluded.status not in ('Active', 'Unconfirmed')
               then excluded.status else s.status end`
    : sql`s.status`;
  const { rows } = await sql<{ id: string; created: boolean }>`
    insert into subscribers as s
      (id, account_id, email, email_key, name, status, country, subscribed_at, custom_fields, sequence_ids, created_at, updated_at)
    select r.id, ${accountId}, r.email, r.email_key, coalesce(r.name, ''), ${status}, r.country, ${now},
           coalesce(r.fields::jsonb, '{}'), ${merge.sequenceIds}::text[], ${now}, ${now}
    from unnest(${columns.ids}::uuid[], ${columns.emails}::text[], ${columns.keys}::text[], ${columns.names}::text[],
                ${columns.countries}::text[], ${columns.fields}::text[], ${columns.statuses}::text[])
         as r(id, email, email_key, name, country, fields, status)
    on conflict (account_id, email_key) do update set
      name = coalesce(nullif(excluded.name, ''), s.name),
      status = ${newStatus},
      country = coalesce(excluded.country, s.country),
      custom_fields = s.custom_fields || excluded.custom_fields,
      sequence_ids = s.sequence_ids || array(
        select added from unnest(excluded.sequence_ids) added where added <> all(s.sequence_ids)),
      updated_at = excluded.updated_at
    where coalesce(nullif(excluded.name, ''), s.name) <> s.name
      or ${newStatus} <> s.status
      or coalesce(excluded.country, s.country) is distinct from s.country
      or s.custom_fields || excluded.custom_fields <> s.custom_fields
      or not excluded.sequence_ids <@ s.sequence_ids
    returning s.id, (xmax = 0) as created`.execute(tx);
  const created = rows.filter((row) => row.created).length;
  const tagged = await addTags(tx, merge);
  const changed = new Set(rows.map((row) => row.id));
  const updatedByTag = tagged.filter((id) => !changed.has(id));
  if (updatedByTag.length > 0)
    await sql`update subscribers set updated_at = ${now} where id = any(${updatedByTag}::uuid[])`.execute(tx);
  return { created, updated: rows.length - created + updatedByTag.length };
}

/** Adds tags and returns the subscribers that got a new one. Ignores tags deleted since the import was checked. */
async function addTags(tx: Tx, { accountId, columns, tagIds }: Merge): Promise<string[]> {
  if (tagIds.length === 0) return [];
  const { rows } = await sql<{ subscriber_id: string }>`
    with added as (
      insert into subscriber_tags (tag_id, subscriber_id)
      select t.id, s.id
      from unnest(${columns.keys}::text[]) k(email_key)
      join subscribers s on s.account_id = ${accountId} and s.email_key = k.email_key
      cross join (select id from tags where account_id = ${accountId} and id = any(${tagIds}::uuid[])) t
      on conflict do nothing
      returning subscriber_id)
    select distinct subscriber_id from added`.execute(tx);
  return rows.map((row) => row.subscriber_id);
}
