import type { Selectable } from 'kysely';
import type { Db } from '../database.ts';
import type { Cooldowns } from '../db-types.ts';

export type CooldownRecord = Selectable<Cooldowns>;

export function findCooldown(db: Db, accountId: string, kind: string): Promise<CooldownRecord | undefined> {
  return db
    .selectFrom('cooldowns')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .executeTakeFirst();
}
