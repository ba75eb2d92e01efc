import pg from 'pg';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { SUPERUSER } from './database-roles.ts';

/** "Rwps": keeps our advisory locks apart from any others. */
export const ADVISORY_SPACE = 0x52777073;

const WRONG_PASSWORD = '28P01';
const NOT_AUTHORIZED = '28000';

export interface Login {
  readonly socketDirectory: string;
  readonly user: string;
  readonly database: string;
  readonly key: string;
  readonly name: string;
}

export async function connect({ socketDirectory, user, database, key, name }: Login): Promise<pg.Client> {
  const client = new pg.Client({
    host: socketDirectory,
    user,
    database,
    password: key,
    application_name: name,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {}); // 'end' follows, and is what callers act on
  await client.connect();
  return client;
}

/** The role is missing, may not log in yet, or has another password. */
export function isRefused(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === WRONG_PASSWORD || code === NOT_AUTHORIZED;
}

export async function connectAsSuperuser(login: Omit<Login, 'user'>, cluster: string): Promise<pg.Client> {
  try {
    return await connect({ ...login, user: SUPERUSER });
  } catch (error) {
    if (!isRefused(error)) throw error;
    throw new OperatorError(
      `The database in ${cluster} does not accept the password in database.key of the data directory. Restore that file. ` +
        `If it is lost, put the one line "local all all trust" into ${cluster}/pg_hba.conf, stop PostgreSQL and start Rowpress: it sets a new password and requires it.`,
    );
  }
}

/** `busy`: it runs, but is starting, recovering or stopping. `closed`: the socket is not ours to open. */
export type PingResult = 'ready' | 'busy' | 'down' | 'closed';

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';

export async function ping(socketDirectory: string, key: string): Promise<PingResult> {
  const client = new pg.Client({
    host: socketDirectory,
    user: SUPERUSER,
    password: key,
    database: 'postgres',
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {}); // the server may go away between connect and end
  try {
    await client.connect();
    await client.end();
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    // A wrong password is reported where the connection is needed.
    if (code === TOO_MANY_CONNECTIONS || isRefused(error)) return 'ready';
    if (code === CANNOT_CONNECT_NOW) return 'busy';
    return code === 'EACCES' ? 'closed' : 'down';
  }
}
