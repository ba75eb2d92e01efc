import type { Clock } from '#lib/clock.ts';
import type { Ids } from '#lib/ids.ts';
import {
  findFirstOperator,
  holdOperator,
  insertOperator,
  lockOperators,
} from '#storage/console/operators.ts';
import { insertSession } from '#storage/console/sessions.ts';
import { isUsableLink, type UsedLink, useSignInLink } from '#storage/console/sign-in-links.ts';
import type { Db, Tx } from '#storage/database.ts';
import { type SessionTimes, secondsUntil, sessionExpiry } from './session-times.ts';
import { hashToken, makeToken } from './sign-in-link.ts';

export interface SignedIn {
  /** The token of the session, returned only here; it is the value of the cookie. */
  readonly token: string;
  readonly operator: Person;
  /** How long the session lasts from its sign-in. */
  readonly maxAgeSeconds: number;
}

export interface SignInParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly session: { readonly times: SessionTimes };
}

/** The browser, as the list of sessions shows it. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string | null;
}

const FIRST_NAME = 'operator';

/** Exchanges the token of a link for a session, in one transaction: the link is used exactly when a session exists. */
export function signIn(
  parts: SignInParts,
  linkToken: string,
  visitor: Visitor,
  alongside: (tx: Tx, operatorId: string) => Promise<void>,
): Promise<SignedIn | undefined> {
  const { db, clock, ids } = parts;
  const now = clock.now();
  const linkHash = hashToken(linkToken);
  return db.transaction().execute(async (tx) => {
    if (!(await isUsableLink(tx, linkHash, now))) return undefined;
    await lockOperators(tx);
    const operator = await spendLink(tx, linkHash, { id: ids.uuid(), now });
    if (operator === undefined) return undefined;
    const signedIn = await startSession(tx, parts, operator, visitor, now);
    await alongside(tx, operator.id);
    return signedIn;
  });
}

/** Starts a session of a person who has proved who they are. */
export async function startSession(
  tx: Tx,
  { ids, session }: SignInParts,
  operator: Person,
  visitor: Visitor,
  now: Date,
): Promise<SignedIn> {
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
  return { token, operator, maxAgeSeconds: secondsUntil(expiresAt, now) };
}

/** Uses a link and returns its person; `id` is that of a person whom it creates. The caller holds the lock on operators. */
export async function spendLink(
  tx: Tx,
  linkHash: Buffer,
  made: { readonly id: string; readonly now: Date },
): Promise<Person | undefined> {
  const link = await useSignInLink(tx, linkHash, made.now);
  return link === undefined ? undefined : operatorOf(tx, link, made);
}

/** Who signed in, with the role at this moment. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly account_id: string | null;
}

/** The operator of a link; an invitation creates it, and so does the first sign-in of all. */
async function operatorOf(
  tx: Tx,
  link: UsedLink,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<Person | undefined> {
  if (link.operator_id !== null) return holdOperator(tx, link.operator_id);
  const first = link.name === null ? await findFirstOperator(tx) : undefined;
  if (first !== undefined) return first;
  const name = link.name ?? FIRST_NAME;
  const { role, account_id } = link;
  await insertOperator(tx, { id, name, role, accountId: account_id, now });
  return { id, name, role, account_id };
}
