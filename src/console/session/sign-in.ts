import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import { findFirstOperator, insertOperator } from '../../storage/console/operators.ts';
import { insertSession } from '../../storage/console/sessions.ts';
import { useSignInLink } from '../../storage/console/sign-in-links.ts';
import type { Db, Tx } from '../../storage/database.ts';
import { type SessionTimes, sessionExpiry } from './session-times.ts';
import { hashToken, makeToken } from './sign-in-link.ts';

export interface SignedIn {
  /** The session's token, seen this once; goes into the cookie. */
  readonly token: string;
  readonly operator: { readonly id: string; readonly name: string };
  readonly expiresAt: Date;
}

interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly session: { readonly times: SessionTimes };
}

/** What the list of sessions shows about the browser. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string | null;
}

const FIRST_NAME = 'operator';

/** Exchanges the token of a link for a session, in one transaction: the link is used exactly when a session exists. */
export function signIn(
  { db, clock, ids, session }: SignInParts,
  linkToken: string,
  visitor: Visitor,
): Promise<SignedIn | undefined> {
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const link = await useSignInLink(tx, hashToken(linkToken), now);
    if (link === undefined) return undefined;
    const operator =
      link.name === null
        ? ((await findFirstOperator(tx)) ?? (await create(tx, ids.uuid(), FIRST_NAME, now)))
        : await create(tx, ids.uuid(), link.name, now);
    const token = makeToken();
    const expiresAt = sessionExpiry(now, now, session.times);
    await insertSession(tx, {
      id: ids.uuid(),
      tokenHash: hashToken(token),
      operatorId: operator.id,
      ...visitor,
      now,
      expiresAt,
    });
    return { token, operator: { id: operator.id, name: operator.name }, expiresAt };
  });
}

async function create(tx: Tx, id: string, name: string, now: Date): Promise<{ id: string; name: string }> {
  await insertOperator(tx, { id, name, now });
  return { id, name };
}
