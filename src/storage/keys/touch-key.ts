import type { Db } from '../database.ts';

/** Notes when a key was last used; `unlessSince` spares the write where another node was quicker. */
export async function touchKey(db: Db, id: string, now: Date, unlessSince: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unlessSince)]))
    .execute();
}
