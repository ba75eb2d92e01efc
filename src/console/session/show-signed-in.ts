import { listAccounts } from '#storage/accounts.ts';
import type { Db } from '#storage/database.ts';
import { needsOf } from '../access/roles.ts';
import { showRole } from '../access/shown-role.ts';
import type { SignedIn } from '../contract/session.ts';
import type { Person } from './sign-in.ts';

/** A session as the wire shows it to its person. */
export async function showSignedIn(
  db: Db,
  { id, name, role, account_id }: Person,
  csrfToken: string,
): Promise<SignedIn> {
  const visible = (await listAccounts(db)).filter((account) => (account_id ?? account.id) === account.id);
  const shown = showRole({ role, account_id, account_name: visible[0]?.name ?? null });
  return {
    signed_in: true,
    operator: { id, name },
    ...shown,
    may: needsOf(shown.role),
    csrf_token: csrfToken,
    accounts: visible.map(({ id, name, plan, active }) => ({ id, name, plan, active })),
  };
}
