import pg from 'pg';
import { DATABASE_USER } from './cluster.ts';

/** `busy`: it runs, but is starting, recovering or stopping. `closed`: the socket is not ours to open. */
export type PingResult = 'ready' | 'busy' | 'down' | 'closed';

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';

export async function ping(socketDirectory: string): Promise<PingResult> {
  const client = new pg.Client({
    host: socketDirectory,
    user: DATABASE_USER,
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
    if (code === TOO_MANY_CONNECTIONS) return 'ready';
    if (code === CANNOT_CONNECT_NOW) return 'busy';
    return code === 'EACCES' ? 'closed' : 'down';
  }
}
