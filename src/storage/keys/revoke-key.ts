import type { Db } from '../database.ts';

/** Revoking twice keeps the first time. undefined: there is no such key. */
export async function revokeKey(
  db: Db,
  id: string,
  now: Date,
): Promise<{ revokedAt: Date; changed: boolean } | undefined> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('revoked_at')
    .executeTakeFirst();
  if (revoked?.revoked_at) return { revokedAt: revoked.revoked_at, changed: true };
  const known = await db.selectFrom('api_keys').select('revoked_at').where('id', '=', id).executeTakeFirst();
  return known?.revoked_at ? { revokedAt: known.revoked_at, changed: false } : undefined;
}
