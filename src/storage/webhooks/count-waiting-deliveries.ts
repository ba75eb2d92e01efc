import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** How much of this account waits; beyond the cap it makes no difference to anyone's turn. */
const CAP = 10_000;

export async function countWaitingDeliveries(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from webhook_deliveries where account_id = ${accountId} and state = 'pending' limit ${CAP}) waiting`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
