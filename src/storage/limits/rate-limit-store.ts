import { sql } from 'kysely';
import type pg from 'pg';
import type { Clock } from '#lib/clock.ts';
import type { Db } from '../database.ts';

/**
 * The pool interface that rate-limiter-flexible uses. The library reads `Date.now()` and names its statement. The
 * adapter converts its times to the product's clock (which a test may move) and drops the name, because a pooler in
 * transaction mode may not support prepared statements.
 *
 * The upsert sends ($1 key, $2 points, $3 expiry, $4 now) and receives `points` and `expire`. The library reads the
 * time separately for $3 and $4, so milliseconds may pass between them. Windows are whole seconds: rounding the
 * difference restores the exact length.
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

/** Deletes rate-limit windows that have ended. Called by the sweeper. */
export async function deletePassedWindows(db: Db, now: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_limits where key in (
      select key from rate_limits where expire <= ${now.getTime()} limit ${limit} for update skip locked)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
