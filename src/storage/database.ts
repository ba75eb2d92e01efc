import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { splitHosts } from '#lib/database-hosts.ts';
import type { DB } from './db-types.ts';
import { openPool } from './guarded-pool.ts';
import { prepareMarked, prepareMarkedWithoutPooler } from './prepared-statements.ts';
import { PrimaryFinder } from './primary-finder.ts';
import type { WriteWatch } from './write-watch.ts';

/** The pool, or the caller's transaction. Every storage function accepts either. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Whether the database confirms writes. */
  readonly writes: Pick<WriteWatch, 'confirm'>;
  /** Returns the driver connection of a transaction, for commands that Kysely does not support (COPY). */
  clientOf(tx: Tx): Promise<pg.ClientBase>;
  close(): Promise<void>;
}

/** `host` may be the directory of a Unix socket, as for the embedded server. */
export type DatabaseAddress =
  | { readonly url: string }
  | { readonly host: string; readonly database: string; readonly user: string; readonly password?: string };

/** Parses int8 as a number: counts and sizes fit into a double (2^53), and strings would break every sum. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

function clientConfig(address: DatabaseAddress): pg.ClientConfig {
  const where = 'url' in address ? { connectionString: address.url } : address;
  return {
    ...where,
    types,
    application_name: 'rowpress',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // The system default is two hours: a statement would wait that long for a server whose machine has disappeared.
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** Servers of the address that can be chosen from, if it names several. */
function finderOf(address: DatabaseAddress): PrimaryFinder | undefined {
  if (!('url' in address)) return undefined;
  const servers = splitHosts(address.url);
  return servers.length === 1 ? undefined : new PrimaryFinder(servers, clientConfig(address));
}

/** Opens a single connection outside the pool, to the primary if the address names several servers. */
export async function connectClient(address: DatabaseAddress): Promise<pg.Client> {
  const finder = finderOf(address);
  await finder?.ready();
  const client = new pg.Client({
    ...clientConfig(address),
    ...(finder !== undefined && { connectionString: finder.current }),
  });
  // A connection that breaks rejects its statements; without a listener the event would end the process.
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function openDatabase(
  address: DatabaseAddress,
  maxConnections: number,
  onIdleError: (error: Error) => void,
): Database {
  const finder = finderOf(address);
  const pool = openPool({ ...clientConfig(address), max: maxConnections }, finder);
  // An idle connection that breaks (server restart) is replaced by the pool at the next call.
  pool.on('error', onIdleError);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pool.on('connect', answerWho);
  // A URL may lead to a pooler; the embedded server's socket never does.
  pool.on('connect', 'url' in address ? prepareMarkedWithoutPooler : prepareMarked);
  const clientOf = async (tx: Tx) => {
    const { rows } = await sql.raw<pg.ClientBase>(WHO).execute(tx);
    const [client] = rows;
    if (client === undefined)
      throw new Error('bug: the transaction does not run on a connection of this pool');
    return client;
  };
  const close = async () => {
    pool.writes.close();
    // The pool drops its connections before they have ended. A server that stops meanwhile resets them; ignore that.
    pool.off('error', onIdleError).on('error', () => {});
    await db.destroy();
    // Kysely ends the pool only if it has used it.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, writes: pool.writes, clientOf, close };
}

const WHO = 'which connection is this?';

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/**
 * Makes a connection answer the WHO query with itself, because Kysely hides the connection of a transaction. The
 * server's process id does not identify it: a pooler makes one up.
 */
function answerWho(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  const answering: Query = (text, ...rest) =>
    text === WHO ? Promise.resolve({ command: 'SELECT', rowCount: 1, rows: [client] }) : query(text, ...rest);
  client.query = answering as typeof client.query;
}
