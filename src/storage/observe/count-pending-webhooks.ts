import { sql } from 'kysely';
import type { Db } from '../database.ts';

export async function countPendingWebhooks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending'`.execute(db);
  return rows[0]?.count ?? 0;
}
