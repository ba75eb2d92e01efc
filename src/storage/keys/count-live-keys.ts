import type { Tx } from '../database.ts';

/**
 * Keys of one account and surface that are neither revoked nor expired. A key that a rotation replaced does not count: its
 * successor does. Lock the account first.
 */
export async function countLiveKeys(tx: Tx, accountId: string, surface: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('surface', '=', surface)
    .where('revoked_at', 'is', null)
    .where('replaced_by', 'is', null)
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return count;
}
