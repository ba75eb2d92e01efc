import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '#lib/clock.ts';
import { insertAttempt, takeAttempt } from '#storage/console/identities.ts';
import type { Db } from '#storage/database.ts';
import { type CookieSettings, readTokenNamed, setTokenNamed } from '../session/session-cookie.ts';
import { hashToken, makeToken } from '../session/sign-in-link.ts';
import type { SignInChecks } from './identity-provider.ts';

const COOKIE = 'rowpress_sso';
/** Time to sign in at the provider, which may include a second factor. */
const ATTEMPT_SECONDS = 600;

/** A sign-in between its two requests. Any node can complete it: the token is in the browser's cookie, its hash in the database. */
export interface AttemptParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly session: { readonly cookie: CookieSettings };
}

export async function startAttempt(
  { db, clock, session }: AttemptParts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  await insertAttempt(db, hashToken(token), new Date(clock.now().getTime() + ATTEMPT_SECONDS * 1000));
  setTokenNamed(request, reply, COOKIE, { token, maxAgeSeconds: ATTEMPT_SECONDS }, session.cookie);
}

export const makeAttemptToken = makeToken;

/** Ends the attempt of this browser and returns its token, or undefined if there is none, it has expired or it was used. */
export async function endAttempt(
  { db, clock, session }: AttemptParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const token = readTokenNamed(request, COOKIE, session.cookie);
  if (token === undefined) return undefined;
  setTokenNamed(request, reply, COOKIE, { token: '', maxAgeSeconds: 0 }, session.cookie);
  return (await takeAttempt(db, hashToken(token), clock.now())) ? token : undefined;
}

/** The values that prove that a response belongs to the attempt. Derived from its token, so that none of them is stored. */
export function checksOf(token: string, redirectUri: string): SignInChecks {
  const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { redirectUri, state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}
