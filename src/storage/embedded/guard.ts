import pg from 'pg';
import { DATABASE_USER } from './cluster.ts';

/**
 * Who may stop the server is settled inside the server, by two advisory locks on a connection that each
 * process holds open. The kernel closes that connection when its process dies, however it dies, so there is
 * no stale lock to judge and no process id to trust.
 *
 *   OWNER  exclusive: the one long-running process of this data directory.
 *   USE    shared: a command that works with the database for a moment.
 *
 * Last one out stops the server: whoever leaves gives up its lock and tries to take both alone. USE is tried
 * first, so of two leaving at once exactly one gets both.
 */
export interface Guard {
  /** Settles when the connection ends, for whatever reason. */
  readonly lost: Promise<void>;
  tryOwn(): Promise<boolean>;
  /** Who owns the server, as it named itself. */
  findOwner(): Promise<string | undefined>;
  tryUse(): Promise<boolean>;
  /** Gives up this process's part; true if nobody else has one and the server may be stopped. */
  isLastOut(): Promise<boolean>;
  /** Whether nobody uses the server at this moment (the owner asks). */
  isUnused(): Promise<boolean>;
  serverMark(): Promise<string | null>;
  ensureDatabase(name: string): Promise<void>;
  close(): Promise<void>;
}

/** "Rwps": keeps our advisory locks apart from any others. */
const SPACE = 0x52777073;
const OWNER = 1;
const USE = 2;
const DUPLICATE = new Set(['42P04', '23505']);

export async function openGuard(socketDirectory: string, name: string): Promise<Guard> {
  const client = new pg.Client({
    host: socketDirectory,
    user: DATABASE_USER,
    database: 'postgres',
    application_name: name,
    connectionTimeoutMillis: 5_000,
  });
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('error', () => {}); // 'end' follows, and is what we act on
  await client.connect();

  const ask = async (lock: string, id: number): Promise<boolean> => {
    const { rows } = await client.query<{ got: boolean }>(`select ${lock}($1, $2) as got`, [SPACE, id]);
    return rows[0]?.got === true;
  };

  return {
    lost,
    tryOwn: () => ask('pg_try_advisory_lock', OWNER),
    tryUse: () => ask('pg_try_advisory_lock_shared', USE),
    findOwner: async () => {
      const { rows } = await client.query<{ name: string }>(
        `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
         where l.locktype = 'advisory' and l.classid = $1 and l.objid = $2 and l.granted`,
        [SPACE, OWNER],
      );
      return rows[0]?.name;
    },
    isLastOut: async () => {
      await client.query('select pg_advisory_unlock_all()');
      if (!(await ask('pg_try_advisory_lock', USE))) return false;
      if (await ask('pg_try_advisory_lock', OWNER)) return true;
      await ask('pg_advisory_unlock', USE);
      return false;
    },
    isUnused: async () => {
      const free = await ask('pg_try_advisory_lock', USE);
      if (free) await ask('pg_advisory_unlock', USE);
      return free;
    },
    serverMark: async () => {
      const { rows } = await client.query<{ mark: string | null }>(
        `select current_setting('rowpress.mark', true) as mark`,
      );
      return rows[0]?.mark ?? null;
    },
    ensureDatabase: async (database) => {
      const { rows } = await client.query('select 1 from pg_database where datname = $1', [database]);
      if (rows.length > 0) return;
      await client.query(`create database ${client.escapeIdentifier(database)}`).catch((error) => {
        if (!DUPLICATE.has(error.code)) throw error;
      });
    },
    close: () => client.end().catch(() => {}),
  };
}
