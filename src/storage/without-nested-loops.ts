import { sql } from 'kysely';
import type { Db, Tx } from './database.ts';

/**
 * For statements that compare two sides which may both have grown within seconds, before the server has counted them, or
 * whose counts are from quieter days: a plan that believes in a handful of rows walks one side whole for every row of the
 * other. Hashing either side costs the same whatever the server believes.
 */
export function withoutNestedLoops<T>(db: Db, run: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    return run(tx);
  });
}
