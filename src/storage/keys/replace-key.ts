import type { Tx } from '../database.ts';

/** Reads a key and holds its row until the transaction ends, so that a rotation happens once. */
export function lockKey(tx: Tx, id: string) {
  return tx
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .selectAll('api_keys')
    .select('accounts.name as account_name')
    .where('api_keys.id', '=', id)
    .forUpdate('api_keys')
    .executeTakeFirst();
}

/** The key that `id` replaced, while it still works. */
export function findLivePredecessor(tx: Tx, id: string, now: Date) {
  return tx
    .selectFrom('api_keys')
    .select(['id', 'expires_at'])
    .where('replaced_by', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Names the successor of a key and sets the end of the overlap. */
export async function replaceKey(tx: Tx, id: string, successorId: string, endsAt: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ replaced_by: successorId, expires_at: endsAt })
    .where('id', '=', id)
    .execute();
}
