import type { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { DataKeyRecord } from './data-keys.ts';
import type { Database, Db } from './database.ts';

/** A table and its copied columns. */
export interface TransferTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Lists the tables with their writable columns, so that each table comes after the tables it references. Omits the
 * migration tables and unlogged tables, whose loss is harmless by design.
 */
export async function listTables(db: Db): Promise<TransferTable[]> {
  const { rows: tables } = await sql<TransferTable>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
      and c.relname not like 'kysely\\_%' and c.relname <> 'schema_minimum'
    group by c.relname order by c.relname`.execute(db);
  const { rows: references } = await sql<{ from: string; to: string }>`
    select f.relname as from, t.relname as to
    from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`.execute(db);
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly TransferTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): TransferTable[] {
  const ordered: TransferTable[] = [];
  const placed = new Set<string>();
  let waiting = [...tables];
  while (waiting.length > 0) {
    const free = waiting.filter(({ name }) =>
      references.every(({ from, to }) => from !== name || placed.has(to)),
    );
    if (free.length === 0) throw new Error('bug: the table references form a cycle');
    for (const table of free) placed.add(table.name);
    ordered.push(...free);
    waiting = waiting.filter(({ name }) => !placed.has(name));
  }
  return ordered;
}

/**
 * Runs `work` on one snapshot of the whole database while the server continues. Locks the current blobs against the
 * sweeper (which skips locked rows), so that every file in the snapshot still exists when it is copied.
 */
export async function withSnapshot<T>(
  { pool }: Database,
  work: (client: pg.PoolClient, blobNames: readonly string[]) => Promise<T>,
): Promise<T> {
  const keeper = await pool.connect();
  const reader = await pool.connect();
  let failure: Error | undefined;
  try {
    await keeper.query('begin');
    await keeper.query('select from blobs order by digest for key share');
    await reader.query('begin isolation level repeatable read read only');
    const result = await work(reader, await listBlobNames(reader));
    for (const client of [reader, keeper]) await client.query('rollback');
    return result;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // A connection that failed during a copy accepts no further statement; closing it rolls back.
    for (const client of [reader, keeper]) client.release(failure);
  }
}

/** Lists the blobs with a file. That of a condemned one (blob-records.ts) may be deleted already. */
export async function listBlobNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ digest: string }>(
    "select digest from blobs where last_put_at > 'epoch' order by digest",
  );
  return rows.map(({ digest }) => digest);
}

export async function listDataKeys(client: pg.ClientBase): Promise<DataKeyRecord[]> {
  return (await client.query<DataKeyRecord>('select id, sealed from data_keys')).rows;
}

const target = ({ name, columns }: TransferTable) =>
  `public.${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`;

/** Streams a table in PostgreSQL's text format, which every version reads. Returns the number of rows. */
export async function copyTableOut(
  client: pg.ClientBase,
  table: TransferTable,
  ...sink: [...Transform[], Writable]
): Promise<number> {
  const stream = client.query(to(`copy ${target(table)} to stdout`));
  await pipeline([stream, ...sink]);
  return stream.rowCount;
}

export async function copyTableIn(
  client: pg.ClientBase,
  table: TransferTable,
  ...source: [Readable, ...Transform[]]
): Promise<number> {
  const stream = client.query(from(`copy ${target(table)} from stdin`));
  await pipeline([...source, stream]);
  return stream.rowCount;
}

/** Runs `work` in one transaction, so that a restore is all or nothing. */
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
    // A connection that failed during a copy cannot be reused; closing it rolls back.
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

/**
 * Deletes the name of the blob store, because the restored blobs are in another one. The next start records its name.
 */
export async function forgetBlobStore(client: pg.ClientBase): Promise<void> {
  await client.query(`delete from installation where name = 'blob_store'`);
}

/** Moves each sequence past the highest restored value. */
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
