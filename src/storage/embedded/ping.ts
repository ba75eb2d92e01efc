import pg from 'pg';
import { isRefused } from './connect.ts';
import { SUPERUSER } from './database-roles.ts';

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
