import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

export interface SubscriberValues {
  readonly email?: { readonly address: string; readonly key: string };
  readonly name?: string;
  readonly status?: string;
  readonly country?: string | null;
  readonly subscribedAt?: Date;
  readonly sequenceIds?: readonly string[];
  /** Merged into what is stored; null takes a value away. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** The id under an email, locked for the rest of the transaction. */
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

/** Keeps others from changing a person for the rest of the transaction. False: there is no such person. */
export async function lockSubscriber(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from subscribers where id = ${id} and account_id = ${accountId} for no key update`.execute(tx);
  return rows.length === 1;
}

/** False: somebody has this email. */
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

/** Absent members keep what is stored. Throws a unique violation when the new email is somebody else's. */
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

/** Adds tags; returns how many the person did not have. */
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
