import { isUuid } from '#lib/ids.ts';
import type { Db } from '../database.ts';
import type { AccountRecord } from './ensure-account.ts';

export function findAccount(db: Db, id: string) {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** By name or by id; a name that looks like an id is still a name. */
export async function findAccountNamed(db: Db, nameOrId: string): Promise<AccountRecord | undefined> {
  const named = await db.selectFrom('accounts').selectAll().where('name', '=', nameOrId).executeTakeFirst();
  return named ?? (isUuid(nameOrId) ? findAccount(db, nameOrId) : undefined);
}
