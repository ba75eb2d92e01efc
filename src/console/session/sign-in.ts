import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import { findFirstOperator, insertOperator } from '../../storage/console/operators.ts';
import { insertSession } from '../../storage/console/sessions.ts';
import { useSignInLink } from '../../storage/console/sign-in-links.ts';
import type { Db, Tx } from '../../storage/database.ts';
import { SESSION_SECONDS } from './session-cookie.ts';
import { hashToken, makeToken } from './sign-in-link.ts';

export interface SignedIn {
  /** The session's token, seen this once; goes into the cookie. */
  readonly token: string;
  readonly operator: { readonly id: string; readonly name: string };
}

interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
}

const FIRST_NAME = 'operator';

/** Exchanges the token of a link for a session, in one transaction: the link is used exactly when a session exists. */
export function signIn({ db, clock, ids }: SignInParts, linkToken: string): Promise<SignedIn | undefined> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const link = await useSignInLink(tx, hashToken(linkToken), now);
    if (link === undefined) return undefined;
    const operator =
      link.name === null
        ? ((await findFirstOperator(tx)) ?? (await create(tx, ids.uuid(), FIRST_NAME, now)))
        : await create(tx, ids.uuid(), link.name, now);
    const token = makeToken();
    const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
    await insertSession(tx, { tokenHash: hashToken(token), operatorId: operator.id, now, expiresAt });
    return { token, operator: { id: operator.id, name: operator.name } };
  });
}

async function create(tx: Tx, id: string, name: string, now: Date): Promise<{ id: string; name: string }> {
  await insertOperator(tx, { id, name, now });
  return { id, name };
}
