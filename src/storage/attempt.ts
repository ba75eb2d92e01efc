import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Runs `work` in a savepoint. If it returns undefined, its writes and locks are rolled back and the transaction
 * continues.
 */
export async function attempt<T>(tx: Tx, work: () => Promise<T | undefined>): Promise<T | undefined> {
  await sql`savepoint attempt`.execute(tx);
  const result = await work();
  await (result === undefined ? sql`rollback to savepoint attempt` : sql`release savepoint attempt`).execute(
    tx,
  );
  return result;
}
