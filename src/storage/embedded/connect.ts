import pg from 'pg';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { SUPERUSER } from './database-roles.ts';

/** "Rwps": the key space of our advisory locks. */
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
  client.on('error', () => {}); // callers handle the 'end' that follows
  await client.connect();
  return client;
}

/** The role does not exist, may not log in yet, or has another password. */
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
      `The database in ${cluster} rejects the password in database.key of the data directory. Restore that file. ` +
        `If it is lost, replace ${cluster}/pg_hba.conf with the line "local all all trust", stop PostgreSQL and start Rowpress, which sets and requires a new password.`,
    );
  }
}

/** `busy`: the server is starting, recovering or stopping. `closed`: this user may not open the socket. */
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
  client.on('error', () => {}); // the server may end between connect and end
  try {
    await client.connect();
    await client.end();
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    // The caller that needs the connection reports a wrong password.
    if (code === TOO_MANY_CONNECTIONS || isRefused(error)) return 'ready';
    if (code === CANNOT_CONNECT_NOW) return 'busy';
    return code === 'EACCES' ? 'closed' : 'down';
  }
}
