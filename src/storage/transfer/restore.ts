import pg from 'pg';
import type { Database } from '../database.ts';
import type { TransferTable } from './list-tables.ts';

/** Runs `work` in one transaction: a restore is whole or has not happened. */
export async function withRestore<T>(
  { pool }: Database,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection that failed in the middle of a copy is not worth saving; closing it rolls back.
    client.release(failure);
  }
}

export async function findFilledTable(
  client: pg.ClientBase,
  tables: readonly TransferTable[],
): Promise<string | undefined> {
  for (const { name } of tables) {
    const { rows } = await client.query(`select from public.${pg.escapeIdentifier(name)} limit 1`);
    if (rows.length > 0) return name;
  }
  return undefined;
}

/** The restored blobs lie in another store: the next start writes that one's name down. */
export async function forgetBlobStore(client: pg.ClientBase): Promise<void> {
  await client.query(`delete from installation where name = 'blob_store'`);
}

/** Sequences go on after the highest restored value. */
export async function advanceSequences(
  client: pg.ClientBase,
  tables: readonly TransferTable[],
): Promise<void> {
  for (const { name, columns } of tables) {
    for (const column of columns) {
      await client.query(
        `select setval(s, (select coalesce(max(${pg.escapeIdentifier(column)}::text::bigint), 1)
                           from public.${pg.escapeIdentifier(name)}))
         from pg_get_serial_sequence($1, $2) s where s is not null`,
        [`public.${pg.escapeIdentifier(name)}`, column],
      );
    }
  }
}
