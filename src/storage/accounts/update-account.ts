import type { Db } from '../database.ts';
import type { AccountRecord } from './ensure-account.ts';

/** undefined: there is no account of that name. */
export function updateAccount(
  db: Db,
  name: string,
  change: { readonly plan?: string; readonly active?: boolean },
): Promise<AccountRecord | undefined> {
  return db
    .updateTable('accounts')
    .set({ name, ...change })
    .where('name', '=', name)
    .returningAll()
    .executeTakeFirst();
}
