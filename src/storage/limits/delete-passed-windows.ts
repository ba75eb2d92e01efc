import { sql } from 'kysely';
import type { Db } from '../database.ts';

/** Windows that have passed count for nothing; a sweeper calls this. */
export async function deletePassedWindows(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire <= ${now.getTime()} limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
