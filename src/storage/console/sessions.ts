import type { Db, Tx } from '../database.ts';

export interface NewSession {
  readonly tokenHash: Buffer;
  readonly operatorId: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('operator_sessions')
    .values({
      token_hash: session.tokenHash,
      operator_id: session.operatorId,
      created_at: session.now,
      last_seen_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
}

export type SessionRecord = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** A session that has not ended, with the operator it belongs to. */
export function findSession(db: Db, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select(['s.token_hash', 's.last_seen_at', 's.expires_at', 'o.id as operator_id', 'o.name'])
    .where('s.token_hash', '=', tokenHash)
    .where('s.expires_at', '>', now)
    .where('o.removed_at', 'is', null)
    .executeTakeFirst();
}

/** Those of the sessions (token hashes in hexadecimal) that have not ended. */
export async function findLiveSessions(
  db: Db,
  tokenHashes: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select('s.token_hash')
    .where(
      's.token_hash',
      'in',
      tokenHashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    .where('s.expires_at', '>', now)
    .where('o.removed_at', 'is', null)
    .execute();
  return new Set(rows.map(({ token_hash: hash }) => hash.toString('hex')));
}

export async function extendSession(db: Db, tokenHash: Buffer, now: Date, expiresAt: Date): Promise<void> {
  await db
    .updateTable('operator_sessions')
    .set({ last_seen_at: now, expires_at: expiresAt })
    .where('token_hash', '=', tokenHash)
    .execute();
}

export async function deleteSession(db: Db, tokenHash: Buffer): Promise<void> {
  await db.deleteFrom('operator_sessions').where('token_hash', '=', tokenHash).execute();
}
