import { sql } from 'kysely';
import type pg from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '../database.ts';

/**
 * The pool as rate-limiter-flexible sees it. The library reads `Date.now()` and names its statement; here
 * its times are moved to the product's clock (which a test may have moved), and the name is dropped, because
 * a pooler in transaction mode may know no prepared statements.
 *
 * Its upsert sends ($1 key, $2 points, $3 expiry, $4 now) and gets back `points` and `expire`. The library reads the time
 * for $3 and for $4, and milliseconds may pass between them and until here; windows are whole seconds, so what it meant
 * is known, and a window ends to the millisecond.
 */
export interface RateLimitStore {
  query(statement: {
    text: string;
    values: readonly unknown[];
  }): Promise<{ rows: { points: number; expire: number }[] }>;
}

export function rateLimitStore(pool: pg.Pool, clock: Clock): RateLimitStore {
  return {
    async query({ text, values: [key, points, expire, now] }) {
      const here = clock.now().getTime();
      const ahead = here - Date.now();
      const windowMs = Math.round((Number(expire) - Number(now)) / 1000) * 1000;
      const moved = [key, points, here + windowMs, here];
      const { rows } = await pool.query<{ points: number; expire: number }>(text, moved);
      return { rows: rows.map((row) => ({ points: row.points, expire: row.expire - ahead })) };
    },
  };
}

/** Windows that have passed count for nothing; a sweeper calls this. */
export async function deletePassedWindows(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire <= ${now.getTime()} limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
