import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { CustomFields } from '../db-types.ts';
import type { Position } from './people.ts';

export type CustomFieldRecord = Selectable<CustomFields>;

export interface CustomFieldValues {
  readonly label: string;
  readonly type: string;
  readonly options: readonly string[];
}

const labelKey = (label: string) => label.trim().toLowerCase();

/** Returns false if the label is taken. */
export async function insertCustomField(
  db: Db,
  accountId: string,
  id: string,
  { label, type, options }: CustomFieldValues,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into custom_fields (id, account_id, label, label_key, type, options, created_at, updated_at)
    values (${id}, ${accountId}, ${label.trim()}, ${labelKey(label)}, ${type}, ${options}::text[], ${now}, ${now})
    on conflict (account_id, label_key) do nothing returning id`.execute(db);
  return rows.length === 1;
}

export function findCustomField(
  db: Db,
  accountId: string,
  id: string,
): Promise<CustomFieldRecord | undefined> {
  return db
    .selectFrom('custom_fields')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists all fields of an account by label. */
export function listAllCustomFields(db: Db, accountId: string): Promise<CustomFieldRecord[]> {
  return db
    .selectFrom('custom_fields')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('label_key')
    .execute();
}

export async function listCustomFields(
  db: Db,
  accountId: string,
  page: { readonly limit: number; readonly after: Position | undefined },
): Promise<CustomFieldRecord[]> {
  const { after } = page;
  const beyond = after === undefined ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<CustomFieldRecord>`
    select * from custom_fields where account_id = ${accountId} and ${beyond}
    order by created_at desc, id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}

/** Throws a unique violation if another field has the label. */
export async function updateCustomField(
  db: Db,
  accountId: string,
  id: string,
  { label, type, options }: CustomFieldValues,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update custom_fields set label = ${label.trim()}, label_key = ${labelKey(label)}, type = ${type},
      options = ${options}::text[], updated_at = ${now}
    where id = ${id} and account_id = ${accountId} returning id`.execute(db);
  return rows.length === 1;
}

/** Deletes the field and its value in every subscriber. */
export async function deleteCustomField(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    with gone as (delete from custom_fields where id = ${id} and account_id = ${accountId} returning id),
    cleaned as (
      update subscribers s set custom_fields = s.custom_fields - ${id}::text
      from gone where s.account_id = ${accountId} and s.custom_fields ? ${id}::text)
    select id from gone`.execute(db);
  return rows.length === 1;
}
