import type { Db, Tx } from '../database.ts';

export interface NewSignInLink {
  readonly id: string;
  readonly tokenHash: Buffer;
  /** Of the operator that an invitation makes; null signs in the first operator. */
  readonly name: string | null;
  readonly invitedBy: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

export async function insertSignInLink(db: Db | Tx, link: NewSignInLink): Promise<void> {
  await db
    .insertInto('sign_in_links')
    .values({
      id: link.id,
      token_hash: link.tokenHash,
      name: link.name,
      invited_by: link.invitedBy,
      created_at: link.now,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** Uses a link up. Undefined: unknown, used or expired; of two callers at once one gets it. */
export function useSignInLink(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<{ readonly name: string | null } | undefined> {
  return tx
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('name')
    .executeTakeFirst();
}
