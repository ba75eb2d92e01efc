import type pg from 'pg';
import { connectClient, type DatabaseAddress } from './database.ts';

const CHANNEL = 'rowpress';
const RECONNECT_MS = 500;

export interface Listener {
  /** False behind a pooler that does not forward notifications. The caller must then poll more often. */
  readonly hears: boolean;
  close(): Promise<void>;
}

export interface ListenerEvents {
  onSignal(payload: string): void;
  /** Called after a reconnect. Signals sent meanwhile were missed, so the caller must read the state again. */
  onReconnect(): void;
  onError(error: Error): void;
}

/** Opens one session that listens until the process ends. Reconnects by itself after the server was unavailable. */
export async function startListener(address: DatabaseAddress, events: ListenerEvents): Promise<Listener> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (): Promise<pg.Client> => {
    const fresh = await connectClient(address);
    fresh.on('notification', (message) => events.onSignal(message.payload ?? ''));
    fresh.on('error', events.onError);
    fresh.on('end', () => {
      if (client === fresh) reconnectSoon();
    });
    try {
      await fresh.query(`listen ${CHANNEL}`);
    } catch (error) {
      await fresh.end().catch(() => {});
      throw error;
    }
    return fresh;
  };

  const reconnectSoon = () => {
    client = undefined;
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().then(
        (fresh) => {
          if (closed) return void fresh.end();
          client = fresh;
          events.onReconnect();
        },
        (error: Error) => {
          events.onError(error);
          reconnectSoon();
        },
      );
    }, RECONNECT_MS);
  };

  client = await connect();
  const hears = await probe(client, address);
  return {
    hears,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => {});
    },
  };
}

/** Sends a signal on another session and reports whether it arrives. */
async function probe(listening: pg.Client, address: DatabaseAddress): Promise<boolean> {
  const payload = `probe:${process.pid}:${performance.now()}`;
  const heard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), 2_000);
    listening.on('notification', function onProbe(message) {
      if (message.payload !== payload) return;
      listening.off('notification', onProbe);
      clearTimeout(timer);
      resolve(true);
    });
  });
  const speaker = await connectClient(address);
  try {
    await sendSignals(speaker, [payload]);
    return await heard;
  } finally {
    await speaker.end();
  }
}

/** Sends signals. Call it outside a transaction: NOTIFY takes a global lock at commit, which defeats group commit. */
export async function sendSignals(client: pg.Client | pg.Pool, payloads: readonly string[]): Promise<void> {
  await client.query('select pg_notify($1, p) from unnest($2::text[]) p', [CHANNEL, payloads]);
}
