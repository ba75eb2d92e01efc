import type { Db } from '../database.ts';

export type KeyRecord = NonNullable<Awaited<ReturnType<typeof findKey>>>;

/** A key with what its account says about it. */
export function findKey(db: Db, id: string, surface: string) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select(['accounts.name as account_name', 'accounts.plan', 'accounts.active'])
    .where('api_keys.id', '=', id)
    .where('api_keys.surface', '=', surface)
    .executeTakeFirst();
}
