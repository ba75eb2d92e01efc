import type { Db, Tx } from '../database.ts';

/** A challenge is for one purpose: `operatorId` adds a passkey; null signs in. */
export interface StoredChallenge {
  readonly hash: Buffer;
  readonly operatorId: string | null;
}

export async function insertChallenge(
  db: Db,
  { hash, operatorId, expiresAt }: StoredChallenge & { readonly expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hash, operator_id: operatorId, expires_at: expiresAt })
    .execute();
}

/** Reports whether a challenge can be used, without using it. */
export async function isUsableChallenge(
  db: Db,
  { hash, operatorId }: StoredChallenge,
  now: Date,
): Promise<boolean> {
  const found = await db
    .selectFrom('passkey_challenges')
    .select('challenge_hash')
    .where('challenge_hash', '=', hash)
    .where('operator_id', 'is not distinct from', operatorId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

/** Deletes a challenge. Returns false if it is already gone: of two concurrent callers, one gets it. */
export async function deleteChallenge(
  db: Db | Tx,
  { hash }: Pick<StoredChallenge, 'hash'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes expired challenges. Returns their number. */
export async function deletePassedChallenges(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_challenges')
    .where('expires_at', '<=', now)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
