import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * Runs statements with nested loops disabled. Both sides of their join may have grown since the server last analyzed
 * them; a plan that expects a few rows would then scan one whole side for every row of the other. A hash join costs the
 * same whatever the statistics say.
 */
export function withoutNestedLoops<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    return run(tx);
  });
}
