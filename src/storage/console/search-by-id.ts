import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
}

/** Keys by their public half; a whole key may be pasted, of which only that half is looked at. */
export async function searchKeys(db: Db, publicId: string): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    select k.id, k.name, k.surface || ' · ' || a.name as detail
    from api_keys k join accounts a on a.id = k.account_id where k.id = ${publicId}`.execute(db);
  return rows;
}

export async function searchAccounts(db: Db, text: string, limit: number): Promise<NamedThing[]> {
  const { rows } = await sql<NamedThing>`
    select id, name, plan as detail from accounts
    where id::text = lower(${text}) or strpos(lower(name), lower(${text})) > 0
    order by name limit ${limit}`.execute(db);
  return rows;
}
