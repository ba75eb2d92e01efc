import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { onlyValue } from '#http/dialects/dialect-spec.ts';
import { admitBody } from '#http/slow-bodies.ts';
import type { Clock } from '#lib/clock.ts';
import { extendSession, findSession } from '#storage/console/sessions.ts';
import type { Db } from '#storage/database.ts';
import { readDeclared } from '../access/declared-needs.ts';
import { requireRole } from '../access/require-need.ts';
import { isRole } from '../access/roles.ts';
import { type SignedInPerson, setPerson } from '../access/signed-in-person.ts';
import { refuse } from '../errors.ts';
import { type OpenReads, readerOf } from './open-reads.ts';
import { type CookieSettings, readSessionToken, setSessionCookie } from './session-cookie.ts';
import {
  renewAfterMs,
  type SessionTimes,
  secondsUntil,
  sessionBounds,
  sessionExpiry,
} from './session-times.ts';
import type { Visitor } from './sign-in.ts';
import { hashToken } from './sign-in-link.ts';

/** The signed-in operator, the CSRF token for new pages, and those that the client may return. */
export interface OperatorSession extends SignedInPerson {
  readonly id: string;
  readonly operatorId: string;
  readonly operatorName: string;
  readonly tokenHash: Buffer;
  readonly csrfToken: string;
  readonly acceptedCsrfTokens: readonly string[];
}

export interface SessionParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly times: SessionTimes;
  readonly cookie: CookieSettings;
  readonly openReads: OpenReads;
  /** A keyed hash of the session's token, so that it need not be stored. */
  csrfTokenOf(sessionToken: string): string;
  /** That one, and those made with earlier installation secrets, so that open pages survive a rotation. */
  acceptedCsrfTokensOf(sessionToken: string): readonly string[];
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const MAX_USER_AGENT_CHARS = 300;

const sessions = new WeakMap<FastifyRequest, OperatorSession>();

export function findOperator(request: FastifyRequest): OperatorSession | undefined {
  return sessions.get(request);
}

export function getOperator(request: FastifyRequest): OperatorSession {
  const session = sessions.get(request);
  if (session === undefined) throw new Error('bug: a route without a session guard asked who is signed in');
  return session;
}

/**
 * Guards every operator route before the body is read. The only place where a route's need is compared with a role. A `public` route gets the signed-in operator but does not require one. Cross-site requests are rejected twice: by what the browser reports (Fetch Metadata, Sec-Fetch-Site) and by a
 * token that only a page of this origin can have read.
 */
export function createSessionGuard(parts: SessionParts) {
  return async function guardSession(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.headers['sec-fetch-site'] === 'cross-site') throw refuse('CROSS_SITE_REFUSED');
    const session = await openSession(parts, request, reply);
    if (session !== undefined) {
      sessions.set(request, session);
      setPerson(request, session);
      admitBody(request);
    }
    const need = readDeclared(request);
    if (need === 'public') return;
    if (session === undefined) throw refuse('SIGN_IN_REQUIRED');
    requireRole(session.role, need);
    if (SAFE_METHODS.has(request.method)) {
      const done = parts.openReads.add(readerOf(session), () => reply.raw.destroy());
      reply.raw.once('close', done);
      return;
    }
    const given = onlyValue(request.raw, 'x-csrf-token');
    if (!session.acceptedCsrfTokens.some((token) => sameText(given, token)))
      throw refuse('CSRF_TOKEN_INVALID');
  };
}

async function openSession(
  parts: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OperatorSession | undefined> {
  const { db, clock, times } = parts;
  const presented = readSessionToken(request, parts.cookie);
  if (presented === undefined) return undefined;
  const { token, isOldCookie } = presented;
  const now = clock.now();
  const tokenHash = hashToken(token);
  const record = await findSession(db, tokenHash, sessionBounds(now, times));
  if (record === undefined || (isOldCookie && !record.old_cookie)) return undefined;
  if (isOldCookie || now.getTime() - record.last_seen_at.getTime() >= renewAfterMs(times)) {
    const expiresAt = sessionExpiry(record.created_at, now, times);
    const { operator_id: operatorId } = record;
    await extendSession(db, { tokenHash, operatorId }, { ...visitorOf(request), now, expiresAt });
    setSessionCookie(request, reply, { token, maxAgeSeconds: secondsUntil(expiresAt, now) }, parts.cookie);
  }
  if (!isRole(record.role)) throw new Error(`bug: ${record.role} is not a role`);
  return {
    id: record.id,
    operatorId: record.operator_id,
    operatorName: record.name,
    role: record.role,
    accountId: record.account_id,
    tokenHash,
    csrfToken: parts.csrfTokenOf(token),
    acceptedCsrfTokens: parts.acceptedCsrfTokensOf(token),
  };
}

/** PostgreSQL cannot store NUL, and Node.js rejects it in headers. */
export function visitorOf(request: FastifyRequest): Visitor {
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT_CHARS) ?? null;
  return { address: request.ip, userAgent };
}

function sameText(given: string | undefined, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
