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
  try {
    await keeper.query('begin');
    await keeper.query('select from blobs order by digest for key share');
    await reader.query('begin isolation level repeatable read read only');
    const { rows } = await reader.query<{ digest: string }>('select digest from blobs order by digest');
    return await work(
      reader,
      rows.map(({ digest }) => digest),
    );
  } finally {
    for (const client of [reader, keeper]) {
      const failure = await client.query('rollback').then(
        () => undefined,
        (error: Error) => error,
      );
      client.release(failure);
    }
  }
}
