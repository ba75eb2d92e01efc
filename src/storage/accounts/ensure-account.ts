import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { Accounts } from '../db-types.ts';

export type AccountRecord = Selectable<Accounts>;

/** The account of that name, made now if there is none. Two callers at once get the same one. */
export async function ensureAccount(
  db: Db,
  account: { readonly id: string; readonly name: string; readonly plan: string; readonly now: Date },
): Promise<AccountRecord> {
  const { id, name, plan, now } = account;
  await db
    .insertInto('accounts')
    .values({ id, name, plan, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return db.selectFrom('accounts').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
}
