import type pg from 'pg';
import type { Database } from '../database.ts';

/**
 * Runs `work` on one unchanging view of the whole database, while the server goes on. The blobs known at its
 * start are locked against the sweeper (which skips what is locked), so that every file the view refers to is
 * still there when its turn comes.
 */
export async function withSnapshot<T>(
  { pool }: Database,
  work: (client: pg.PoolClient, digests: readonly string[]) => Promise<T>,
): Promise<T> {
  const keeper = await pool.connect();
  const reader = await pool.connect();
  let failure: Error | undefined;
  try {
    await keeper.query('begin');
    await keeper.query('select from blobs order by digest for key share');
    await reader.query('begin isolation level repeatable read read only');
    const { rows } = await reader.query<{ digest: string }>('select digest from blobs order by digest');
    const result = await work(
      reader,
      rows.map(({ digest }) => digest),
    );
    for (const client of [reader, keeper]) await client.query('rollback');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection that failed in the middle of a copy hears no further statement; closing it rolls back.
    for (const client of [reader, keeper]) client.release(failure);
  }
}
