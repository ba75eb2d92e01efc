import { sql } from 'kysely';
import type { Db } from './database.ts';

export interface DataKeyRecord {
  readonly id: string;
  readonly sealed: Buffer;
}

/** The data key of the account; the given one becomes it if there is none. Two nodes at once agree on one. */
export async function ensureDataKey(
  db: Db,
  accountId: string,
  offered: () => DataKeyRecord & { readonly now: Date },
): Promise<DataKeyRecord> {
  const find = () =>
    db
      .selectFrom('data_keys')
      .select(['id', 'sealed'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
  const known = await find();
  if (known !== undefined) return known;
  const { id, sealed, now } = offered();
  await sql`
    insert into data_keys (id, account_id, sealed, created_at) values (${id}, ${accountId}, ${sealed}, ${now})
    on conflict (account_id) do nothing`.execute(db);
  const kept = await find();
  if (kept === undefined) throw new Error('bug: a data key was stored and cannot be found');
  return kept;
}

export function findDataKey(db: Db, id: string): Promise<DataKeyRecord | undefined> {
  return db.selectFrom('data_keys').select(['id', 'sealed']).where('id', '=', id).executeTakeFirst();
}
