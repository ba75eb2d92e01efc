import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * Lets this transaction return before it is on disk. For work that would simply run again: a finished slice that a
 * crash of the database loses is lost with all its effects, and the commit that settles its job, which waits for the disk,
 * makes everything before it durable. It matters because slices of one job take turns on the job's row, and would
 * otherwise each wait for the disk there.
 */
export async function deferDurability(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit to off`.execute(tx);
}
