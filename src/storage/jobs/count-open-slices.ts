import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Beyond so many jobs an account is at the back of the queue anyway; counting more would cost every create. */
export const MAX_COUNTED_JOBS = 200;

/** How much an account already has waiting; new slices queue behind other accounts' first ones. */
export async function countOpenSlices(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(open), 0)::int8 as open from (
      select slices_total - slices_done as open from jobs
      where account_id = ${accountId} and settled_at is null limit ${MAX_COUNTED_JOBS}) waiting`.execute(db);
  return rows[0]?.open ?? 0;
}
