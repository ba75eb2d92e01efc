import { AsyncResource } from 'node:async_hooks';
import pg from 'pg';
import { guardStatements } from './guard-statements.ts';
import type { PrimaryFinder } from './primary-finder.ts';
import { WriteWatch } from './write-watch.ts';

/** The message of a pool whose connections are all in use. The server is not to blame. */
const POOL_IS_BUSY = 'timeout exceeded when trying to connect';

type Acquired = (
  error: Error | undefined,
  client?: pg.PoolClient,
  release?: pg.PoolClient['release'],
) => void;

export type GuardedPool = pg.Pool & { readonly writes: WriteWatch };

/**
 * Opens a pool whose connections lead to the primary, whose statements have time limits, and which replaces a connection
 * after a timeout or when its server has become read-only. Kysely and `pool.query` both acquire connections here.
 */
export function openPool(config: pg.PoolConfig, finder: PrimaryFinder | undefined): GuardedPool {
  /** Connections that must not be used again, and why. */
  const spent = new WeakMap<pg.ClientBase, Error>();
  const servers = new WeakMap<pg.ClientBase, string>();

  class PrimaryClient extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super(finder === undefined ? options : { ...options, connectionString: finder.current });
      if (finder !== undefined) servers.set(this, finder.current);
    }
  }

  const pool = new pg.Pool({ ...config, Client: PrimaryClient as unknown as new () => pg.ClientBase });
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const isStale = (client: pg.ClientBase) => finder !== undefined && servers.get(client) !== finder.current;

  const acquire = async (): Promise<pg.PoolClient> => {
    await finder?.ready();
    const client = await connect();
    const release = client.release.bind(client);
    client.release = (reason) =>
      release(
        reason ??
          spent.get(client) ??
          (isStale(client) ? new Error('another server is the primary') : undefined),
      );
    if (!isStale(client)) return client;
    client.release();
    return acquire();
  };

  const acquireFromPrimary = async (): Promise<pg.PoolClient> => {
    try {
      return await acquire();
    } catch (error) {
      if (finder === undefined || (error as Error).message === POOL_IS_BUSY) throw error;
      finder.doubt();
      return acquire();
    }
  };

  const writes = new WriteWatch({
    connect: async () => {
      await finder?.ready();
      const client = new PrimaryClient(config);
      // A connection that breaks rejects its statement; without a listener the event would end the process.
      client.on('error', () => finder?.doubt());
      await client.connect().catch((error: unknown) => {
        finder?.doubt();
        throw error;
      });
      return client;
    },
    isStale,
    onSuspended: () => {
      finder?.doubt();
      finder?.ready().catch(() => {});
    },
  });

  pool.connect = ((callback?: Acquired) => {
    const acquired = acquireFromPrimary();
    if (callback === undefined) return acquired;
    // The pool calls back from whichever caller returns a connection; the statement belongs to this caller.
    const back = AsyncResource.bind(callback);
    acquired.then(
      (client) => back(undefined, client, client.release),
      (error: Error) => back(error),
    );
  }) as typeof pool.connect;

  pool.on('connect', (client) => {
    // A connection that breaks in use fails its query and also emits an error, which would end the process if unhandled.
    client.on('error', () => finder?.doubt());
    guardStatements(client, {
      suspended: () => writes.suspended,
      onSlowWrite: () => void writes.confirm().catch(() => {}),
      onSpent: (used, reason) => {
        spent.set(used, reason);
        finder?.doubt();
      },
    });
  });
  return Object.assign(pool, { writes });
}
