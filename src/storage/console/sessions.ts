import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import { deletePassedActions } from './audit.ts';

export interface SessionUse {
  readonly now: Date;
  readonly expiresAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface NewSession extends SessionUse {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly operatorId: string;
}

/** A session is live if it was created and last used after these times and has not expired. */
export interface SessionBounds {
  readonly now: Date;
  readonly seenAfter: Date;
  readonly createdAfter: Date;
}

/** SQL condition on `operator_sessions s`. */
export const isLive = ({ now, seenAfter, createdAfter }: SessionBounds) =>
  sql<boolean>`(s.expires_at > ${now} and s.last_seen_at > ${seenAfter} and s.created_at > ${createdAfter})`;

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('operator_sessions')
    .values({
      id: session.id,
      token_hash: session.tokenHash,
      operator_id: session.operatorId,
      address: session.address,
      user_agent: session.userAgent,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
  await noteOperatorSeen(tx, session.operatorId, session.now);
}

/** Keeps the time of the last request beyond the session, which is deleted when it ends. */
async function noteOperatorSeen(db: Db, operatorId: string, now: Date): Promise<void> {
  await db.updateTable('operators').set({ last_seen_at: now }).where('id', '=', operatorId).execute();
}

export type SessionRecord = NonNullable<Awaited<ReturnType<typeof findSession>>>;

const liveSessions = (db: Db, bounds: SessionBounds) =>
  db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .where(isLive(bounds))
    .where('o.removed_at', 'is', null);

/** Finds a live session, with its operator. */
export function findSession(db: Db, tokenHash: Buffer, bounds: SessionBounds) {
  return liveSessions(db, bounds)
    .select([
      's.id',
      's.created_at',
      's.last_seen_at',
      's.old_cookie',
      'o.id as operator_id',
      'o.name',
      'o.role',
      'o.account_id',
    ])
    .where('s.token_hash', '=', tokenHash)
    .executeTakeFirst();
}

/** Returns the sessions (by token hash) that are still live, with the present role of their operator. */
export async function findLiveSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  bounds: SessionBounds,
): Promise<{ readonly tokenHash: Buffer; readonly role: string; readonly accountId: string | null }[]> {
  return liveSessions(db, bounds)
    .select(['s.token_hash as tokenHash', 'o.role', 'o.account_id as accountId'])
    .where('s.token_hash', 'in', tokenHashes)
    .execute();
}

export interface ListedSession {
  readonly id: string;
  readonly operator_id: string;
  readonly operator_name: string;
  readonly created_at: Date;
  readonly last_seen_at: Date;
  readonly expires_at: Date;
  readonly address: string | null;
  readonly user_agent: string | null;
}

/** Returns the sessions of one operator, or of all, the most recently used first. */
export function listSessions(
  db: Db,
  bounds: SessionBounds,
  operatorId: string | undefined,
): Promise<ListedSession[]> {
  const live = liveSessions(db, bounds);
  return (operatorId === undefined ? live : live.where('s.operator_id', '=', operatorId))
    .select([
      's.id',
      's.operator_id',
      'o.name as operator_name',
      's.created_at',
      's.last_seen_at',
      's.expires_at',
      's.address',
      's.user_agent',
    ])
    .orderBy('s.last_seen_at', 'desc')
    .orderBy('s.id')
    .execute();
}

/**
 * Renews a session. The operator is updated in its own statement: a removal locks operators before sessions, and one
 * transaction in the other order could deadlock with it.
 */
export async function extendSession(
  db: Db,
  { tokenHash, operatorId }: { readonly tokenHash: Buffer; readonly operatorId: string },
  use: SessionUse,
): Promise<void> {
  await db
    .updateTable('operator_sessions')
    .set({
      last_seen_at: use.now,
      expires_at: use.expiresAt,
      address: use.address,
      user_agent: use.userAgent,
    })
    .where('token_hash', '=', tokenHash)
    .execute();
  await noteOperatorSeen(db, operatorId, use.now);
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', tokenHash).execute();
}

/**
 * Deletes a session and returns the id of its operator, or undefined if the session does not exist. With `operatorId`, deletes
 * only a session of that operator.
 */
export async function deleteSessionById(
  db: Db,
  id: string,
  operatorId: string | undefined,
): Promise<string | undefined> {
  const named = db.deleteFrom('operator_sessions').where('id', '=', id);
  const deleted = await (operatorId === undefined ? named : named.where('operator_id', '=', operatorId))
    .returning('operator_id')
    .executeTakeFirst();
  return deleted?.operator_id;
}

/** Deletes every session except one, or those of one operator. Returns how many. */
export async function deleteOtherSessions(
  db: Db,
  keptId: string,
  operatorId: string | undefined,
): Promise<number> {
  const others = db.deleteFrom('operator_sessions').where('id', '<>', keptId);
  const { numDeletedRows } = await (operatorId === undefined
    ? others
    : others.where('operator_id', '=', operatorId)
  ).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes expired links, sessions, started sign-ins and key conflicts, and audit entries older than `actionsBefore`. */
export async function deletePassedConsoleRecords(db: Db, now: Date, actionsBefore: Date): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with links as (delete from sign_in_links where expires_at <= ${now} returning 1),
    sessions as (delete from operator_sessions where expires_at <= ${now} returning 1),
    attempts as (delete from oidc_attempts where expires_at <= ${now} returning 1),
    conflicts as (delete from request_key_conflicts where expires_at <= ${now} returning 1)
    select ((select count(*) from links) + (select count(*) from sessions) + (select count(*) from attempts)
            + (select count(*) from conflicts))::int as deleted`.execute(db);
  return (rows[0]?.deleted ?? 0) + (await deletePassedActions(db, actionsBefore));
}
