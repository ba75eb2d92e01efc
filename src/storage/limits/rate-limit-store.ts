import type pg from 'pg';
import type { Clock } from '../../lib/clock.ts';

/**
 * The pool as rate-limiter-flexible sees it. The library reads `Date.now()` and names its statement; here
 * its times are moved to the product's clock (which a test may have moved), and the name is dropped, because
 * a pooler in transaction mode may know no prepared statements.
 *
 * Its upsert sends ($1 key, $2 points, $3 expiry, $4 now) and gets back `points` and `expire`.
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
      const ahead = clock.now().getTime() - Date.now();
      const moved = [key, points, Number(expire) + ahead, Number(now) + ahead];
      const { rows } = await pool.query<{ points: number; expire: number }>(text, moved);
      return { rows: rows.map((row) => ({ points: row.points, expire: row.expire - ahead })) };
    },
  };
}
