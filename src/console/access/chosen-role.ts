import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { RoleRecord } from '#storage/console/operators.ts';
import type { Db } from '#storage/database.ts';
import { getNamedAccount } from '../accounts/find-named-account.ts';
import { role } from '../contract/access.ts';
import { refuse } from '../errors.ts';
import { hasAccount } from './roles.ts';

/** The role and account in a request body. Designers and runners need an account; other roles must not have one. */
export const roleBody = z.strictObject({ role, account: z.string().min(1).max(200).optional() });

export async function readRole(
  db: Db,
  request: FastifyRequest,
  { role, account }: z.output<typeof roleBody>,
): Promise<RoleRecord> {
  if (!hasAccount(role)) {
    if (account !== undefined)
      throw refuse(
        'INVALID_FIELD',
        `account must be absent: the role ${role} is not limited to an account.`,
        {
          members: { field: 'account' },
        },
      );
    return { role, accountId: null };
  }
  if (account === undefined)
    throw refuse('INVALID_FIELD', `account is missing: the role ${role} belongs to one account.`, {
      members: { field: 'account' },
    });
  return { role, accountId: (await getNamedAccount(db, request, account)).id };
}
