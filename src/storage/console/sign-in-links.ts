import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { RoleRecord } from './operators.ts';

export interface NewSignInLink {
  readonly id: string;
  readonly tokenHash: Buffer;
  /** The name of the operator that an invitation creates. */
  readonly name: string | null;
  /** The operator that signs in again. A link with neither signs in the first operator. */
  readonly operatorId: string | null;
  /** The role of the person that an invitation creates. */
  readonly role: RoleRecord;
  /** Null: created by a command or by the first start. */
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
      operator_id: link.operatorId,
      role: link.role.role,
      account_id: link.role.accountId,
      invited_by: link.invitedBy,
      created_at: link.now,
      expires_at: link.expiresAt,
    })
    .execute();
}

/** Reports whether a link can be used. Takes no lock, so that guesses block nobody. */
export async function isUsableLink(db: Db | Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('sign_in_links')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return found !== undefined;
}

export interface UsedLink {
  readonly name: string | null;
  readonly operator_id: string | null;
  readonly role: string;
  readonly account_id: string | null;
}

/**
 * Marks a link as used. Returns undefined if it is unknown, used or expired. Of two concurrent callers, one gets it.
 */
export function useSignInLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<UsedLink | undefined> {
  return tx
    .updateTable('sign_in_links')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['name', 'operator_id', 'role', 'account_id'])
    .executeTakeFirst();
}

export interface ListedLink {
  readonly id: string;
  /** The invited name, or that of the operator who signs in again. Null: the first operator. */
  readonly for_name: string | null;
  readonly for_operator_id: string | null;
  /** Of the person that the link signs in. */
  readonly role: string;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly made_by_id: string | null;
  readonly made_by_name: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Lists links that can still be used, newest first. */
export async function listSignInLinks(db: Db, now: Date): Promise<ListedLink[]> {
  const { rows } = await sql<ListedLink>`
    select l.id, coalesce(l.name, f.name) as for_name, l.operator_id as for_operator_id,
           coalesce(f.role, l.role) as role, a.id as account_id, a.name as account_name,
           m.id as made_by_id, m.name as made_by_name, l.created_at, l.expires_at
    from sign_in_links l left join operators f on f.id = l.operator_id left join operators m on m.id = l.invited_by
    left join accounts a on a.id = case when f.id is null then l.account_id else f.account_id end
    where l.used_at is null and l.expires_at > ${now}
    order by l.created_at desc, l.id`.execute(db);
  return rows;
}

/** Deletes an unused link. Returns false if it does not exist. */
export async function deleteSignInLink(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_links')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
