import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { DB } from './db-types.ts';
import { prepareMarked } from './prepared-statements.ts';

/** Anything a storage verb can run on: the pool, or the caller's transaction. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** The driver's connection that a transaction runs on, for what Kysely has no words for (COPY). */
  clientOf(tx: Tx): Promise<pg.ClientBase>;
  close(): Promise<void>;
}

/** `host` may be the directory of a unix socket, which is how the embedded server is reached. */
export type DatabaseAddress =
  | { readonly url: string }
  | { readonly host: string; readonly database: string; readonly user: string; readonly password?: string };

/** Counts and sizes fit a double (2^53); as strings they would infect every sum in the product. */
const INT8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

export function clientConfig(address: DatabaseAddress): pg.ClientConfig {
  const where = 'url' in address ? { connectionString: address.url } : address;
  return {
    ...where,
    types,
    application_name: 'rowpress',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // Unsaid, the system asks after two hours, and for so long a statement waits for a server whose machine is gone.
    keepAliveInitialDelayMillis: 10_000,
  };
}

export function openDatabase(
  address: DatabaseAddress,
  maxConnections: number,
  onIdleError: (error: Error) => void,
): Database {
  const pool = new pg.Pool({ ...clientConfig(address), max: maxConnections });
  // A connection that breaks while nobody uses it (server restarted) is replaced by the pool at the next call.
  pool.on('error', onIdleError);
  // One that breaks in use fails its query and also emits an error, which would end the process unheard.
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  pool.on('connect', answerWho);
  // Between us and a URL there may be a pooler; the embedded server's socket is the server itself.
  if (!('url' in address)) pool.on('connect', prepareMarked);
  const clientOf = async (tx: Tx) => {
    const { rows } = await sql.raw<pg.ClientBase>(WHO).execute(tx);
    const [client] = rows;
    if (client === undefined) throw new Error('bug: a transaction without a connection of this pool');
    return client;
  };
  const close = async () => {
    // The pool lets go of its connections before they have ended. That a server stopping meanwhile cuts them is no news.
    pool.off('error', onIdleError).on('error', () => {});
    await db.destroy();
    // Kysely ends the pool only if it has used it.
    if (!pool.ended) await pool.end();
  };
  return { db, pool, clientOf, close };
}

const WHO = 'which connection is this?';

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/**
 * Kysely hides the connection of a transaction, so each of ours answers this one question itself. The server's process
 * number would not tell: a pooler makes one up.
 */
function answerWho(client: pg.ClientBase): void {
  const query = client.query.bind(client) as Query;
  const answering: Query = (text, ...rest) =>
    text === WHO ? Promise.resolve({ command: 'SELECT', rowCount: 1, rows: [client] }) : query(text, ...rest);
  client.query = answering as typeof client.query;
}
