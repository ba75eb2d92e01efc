import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Does the work and takes its effects back, so that a dry run counts with the very statements of a real one. */
export async function asDryRun<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint dry_run`.execute(tx);
  const result = await work();
  await sql`rollback to savepoint dry_run`.execute(tx);
  return result;
}
