import type { Tx } from '../database.ts';
import type { CooldownRecord } from './find-cooldown.ts';

export async function saveCooldown(tx: Tx, { account_id, kind, ...record }: CooldownRecord): Promise<void> {
  await tx
    .updateTable('cooldowns')
    .set(record)
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .execute();
}
