import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** How much an account already has waiting; new slices queue behind other accounts' first ones. */
export async function countOpenSlices(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(slices_total - slices_done), 0)::int8 as open
    from jobs where account_id = ${accountId} and state in ('queued', 'processing')`.execute(db);
  return rows[0]?.open ?? 0;
}
