import { sql } from 'kysely';
import type { Tx } from '../database.ts';
import type { CooldownRecord } from './find-cooldown.ts';

/** The account's failure record, made if there is none, locked so that settlements are counted one by one. */
export async function lockCooldown(tx: Tx, accountId: string, kind: string): Promise<CooldownRecord> {
  const { rows } = await sql<CooldownRecord>`
    insert into cooldowns (account_id, kind) values (${accountId}, ${kind})
    on conflict (account_id, kind) do update set level = cooldowns.level
    returning *`.execute(tx);
  const [record] = rows;
  if (record === undefined) throw new Error('bug: an upsert returned no row');
  return record;
}
