import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { Position } from './people.ts';

export interface TagRecord {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly subscriber_count: number;
}

const columns = sql`t.id, t.name, t.description, t.created_at, t.updated_at,
  (select count(*) from subscriber_tags st where st.tag_id = t.id) as subscriber_count`;

const tagKey = (name: string) => name.trim().toLowerCase();

export interface NewTag {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null;
}

/** Returns false if the name is taken. */
export async function insertTag(db: Db, accountId: string, tag: NewTag, now: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into tags (id, account_id, name, name_key, description, created_at, updated_at)
    values (${tag.id}, ${accountId}, ${tag.name.trim()}, ${tagKey(tag.name)}, ${tag.description ?? null}, ${now}, ${now})
    on conflict (account_id, name_key) do nothing returning id`.execute(db);
  return rows.length === 1;
}

/** Returns the id of the tag with this name and creates it if it does not exist. */
export async function ensureTag(tx: Tx, accountId: string, tag: NewTag, now: Date): Promise<string> {
  await insertTag(tx, accountId, tag, now);
  const found = await tx
    .selectFrom('tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name_key', '=', tagKey(tag.name))
    .executeTakeFirstOrThrow();
  return found.id;
}

export async function findTag(db: Db, accountId: string, id: string): Promise<TagRecord | undefined> {
  const { rows } = await sql<TagRecord>`
    select ${columns} from tags t where t.id = ${id} and t.account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** Returns the ids that are tags of this account. */
export async function findTagIds(db: Db, accountId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('tags')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function listTags(
  db: Db,
  accountId: string,
  page: { readonly limit: number; readonly after: Position | undefined },
): Promise<TagRecord[]> {
  const { after } = page;
  const beyond =
    after === undefined ? sql`true` : sql`(t.created_at, t.id) < (${after.createdAt}, ${after.id})`;
  const { rows } = await sql<TagRecord>`
    select ${columns} from tags t where t.account_id = ${accountId} and ${beyond}
    order by t.created_at desc, t.id desc limit ${page.limit + 1}`.execute(db);
  return rows;
}

/** Throws a unique violation if another tag has the name. */
export async function updateTag(
  db: Db,
  accountId: string,
  id: string,
  values: { readonly name?: string; readonly description?: string | null },
  now: Date,
): Promise<boolean> {
  const description = values.description === undefined ? sql`description` : sql`${values.description}`;
  const { rows } = await sql`
    update tags set name = coalesce(${values.name?.trim() ?? null}, name),
      name_key = coalesce(${values.name === undefined ? null : tagKey(values.name)}, name_key),
      description = ${description}, updated_at = ${now}
    where id = ${id} and account_id = ${accountId} returning id`.execute(db);
  return rows.length === 1;
}

export async function deleteTag(db: Db, accountId: string, id: string): Promise<boolean> {
  const { rows } =
    await sql`delete from tags where id = ${id} and account_id = ${accountId} returning id`.execute(db);
  return rows.length === 1;
}
