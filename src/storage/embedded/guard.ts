import type pg from 'pg';
import type { PlainLog } from '#lib/plain-log.ts';
import { needsPassword, rulesChangedAt } from './access-rules.ts';
import { ADVISORY_SPACE, connect, isRefused } from './connect.ts';
import { DATABASE, SERVER_ROLE } from './database-roles.ts';
import type { Installed } from './ensure-running.ts';
import { secureCluster } from './secure-cluster.ts';

/**
 * Decides which process may stop the server, with two advisory locks on a connection that each process holds open. The
 * kernel closes that connection when its process dies, however it dies, so there are no stale locks and no process ids
 * to check.
 *
 *   OWNER  exclusive: the one long-running process of this data directory.
 *   USE    shared: a command that uses the database briefly.
 *
 * The last process to leave stops the server: it releases its lock and tries to take both exclusively. USE is tried
 * first, so of two processes that leave at once exactly one gets both.
 */
export interface Guard {
  /** Resolves when the connection ends, for any reason. */
  readonly lost: Promise<void>;
  tryOwn(): Promise<boolean>;
  /** Returns the application name of the owner. */
  findOwner(): Promise<string | undefined>;
  tryUse(): Promise<boolean>;
  /** Releases this process's locks. Returns true if no other process has one and the server may be stopped. */
  isLastOut(): Promise<boolean>;
  /** Reports whether no command uses the server now. Called by the owner. */
  isUnused(): Promise<boolean>;
  serverMark(): Promise<string | null>;
  close(): Promise<void>;
}

const OWNER = 1;
const USE = 2;

export async function openGuard(
  installed: Installed,
  socketDirectory: string,
  name: string,
  log: PlainLog,
): Promise<Guard> {
  const client = await login(installed, socketDirectory, name, log);
  const lost = new Promise<void>((resolve) => client.once('end', () => resolve()));

  const ask = async (lock: string, id: number): Promise<boolean> => {
    const { rows } = await client.query<{ got: boolean }>(`select ${lock}($1, $2) as got`, [
      ADVISORY_SPACE,
      id,
    ]);
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
        [ADVISORY_SPACE, OWNER],
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
    close: () => client.end().catch(() => {}),
  };
}

/** Logs in as the server's role. Upgrades a database of an earlier release first. */
async function login(
  installed: Installed,
  socketDirectory: string,
  name: string,
  log: PlainLog,
): Promise<pg.Client> {
  const enter = () =>
    connect({ socketDirectory, user: SERVER_ROLE, database: 'postgres', key: installed.key, name });
  const { cluster } = installed.place;
  if (needsPassword(cluster)) {
    const client = await enter().catch((error) => {
      if (isRefused(error)) return undefined;
      throw error;
    });
    if (client !== undefined) {
      const { rows } = await client.query<{ secured: boolean }>(
        `select pg_conf_load_time() >= $1 and exists (select from pg_database where datname = $2) as secured`,
        [rulesChangedAt(cluster), DATABASE],
      );
      if (rows[0]?.secured === true) return client;
      await client.end().catch(() => {});
    }
  }
  await secureCluster(installed, socketDirectory, log);
  return enter();
}
