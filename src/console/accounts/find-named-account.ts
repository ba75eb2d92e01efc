import type { AccountRecord } from '#storage/accounts.ts';
import { findAccountNamed } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import { refuse } from '../errors.ts';

/** Returns the account with this name or id. Throws ACCOUNT_UNKNOWN if there is none. */
export async function getNamedAccount(db: Db, nameOrId: string): Promise<AccountRecord> {
  const account = /\p{Cc}/u.test(nameOrId) ? undefined : await findAccountNamed(db, nameOrId);
  if (account === undefined)
    throw refuse('ACCOUNT_UNKNOWN', 'There is no account with this name or id.', {
      members: { field: 'account' },
    });
  return account;
}

/** Returns the id to filter by, or undefined if the request names no account. */
export async function accountFilter(db: Db, nameOrId: string | undefined): Promise<string | undefined> {
  return nameOrId === undefined || nameOrId === '' ? undefined : (await getNamedAccount(db, nameOrId)).id;
}
