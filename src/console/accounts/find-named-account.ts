import type { FastifyRequest } from 'fastify';
import type { AccountRecord } from '#storage/accounts.ts';
import { findAccountNamed } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import { onlyAccount } from '../access/signed-in-person.ts';
import { refuse } from '../errors.ts';

/**
 * Returns the account with this name or id. Throws ACCOUNT_UNKNOWN if there is none, or if it is not the account of a designer
 * or runner.
 */
export async function getNamedAccount(
  db: Db,
  request: FastifyRequest,
  nameOrId: string,
): Promise<AccountRecord> {
  const account = /\p{Cc}/u.test(nameOrId) ? undefined : await findAccountNamed(db, nameOrId);
  if (account === undefined || !seesAccount(request, account.id))
    throw refuse('ACCOUNT_UNKNOWN', 'There is no account with this name or id.', {
      members: { field: 'account' },
    });
  return account;
}

/** Whether the signed-in person can see data of this account. */
export const seesAccount = (request: FastifyRequest, accountId: string): boolean =>
  (onlyAccount(request) ?? accountId) === accountId;

/** Returns the id to filter by, or undefined for all accounts. */
export async function accountFilter(
  db: Db,
  request: FastifyRequest,
  nameOrId: string | undefined,
): Promise<string | undefined> {
  return nameOrId === undefined || nameOrId === ''
    ? onlyAccount(request)
    : (await getNamedAccount(db, request, nameOrId)).id;
}
