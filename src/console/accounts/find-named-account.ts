import type { AccountRecord } from '#storage/accounts.ts';
import { findAccountNamed } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import { refuse } from '../errors.ts';

/** By name or id, as operators name accounts everywhere. */
export async function getNamedAccount(db: Db, nameOrId: string): Promise<AccountRecord> {
  const account = /\p{Cc}/u.test(nameOrId) ? undefined : await findAccountNamed(db, nameOrId);
  if (account === undefined)
    throw refuse('ACCOUNT_UNKNOWN', 'There is no account of that name or id.', {
      members: { field: 'account' },
    });
  return account;
}

/** The id to filter by; undefined when no account was named. */
export async function accountFilter(db: Db, nameOrId: string | undefined): Promise<string | undefined> {
  return nameOrId === undefined || nameOrId === '' ? undefined : (await getNamedAccount(db, nameOrId)).id;
}
