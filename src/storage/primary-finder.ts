import pg from 'pg';
import { hostName } from '#lib/database-hosts.ts';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';

/** A server of the list that does not respond must not delay the others. */
const RESPONSE_MS = 2_000;

/**
 * The name of the current WAL file starts with the timeline, which every promotion increases (PostgreSQL, "WAL
 * Internals"). It orders servers that all claim to be the primary.
 */
const STATE = `select current_setting('transaction_read_only') = 'on' as read_only,
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal`;

interface ServerState {
  readonly read_only: boolean;
  readonly wal: string | null;
}

/** Makes connections: the settings of a client without its server. */
type ClientSettings = pg.ClientConfig;

/**
 * Finds the primary among the servers of a URL. Searches only after a reason for doubt: a failed connection, a refused
 * write, a timeout. With one server there is nothing to find.
 */
export class PrimaryFinder {
  readonly #servers: readonly [string, ...string[]];
  readonly #settings: ClientSettings;
  #current: string;
  #doubted: boolean;
  #searching: Promise<void> | undefined;

  constructor(servers: readonly [string, ...string[]], settings: ClientSettings) {
    this.#servers = servers;
    this.#settings = settings;
    this.#current = servers[0];
    this.#doubted = servers.length > 1;
  }

  /** The URL of the server that was last found to be the primary. */
  get current(): string {
    return this.#current;
  }

  get hasChoice(): boolean {
    return this.#servers.length > 1;
  }

  doubt(): void {
    this.#doubted = this.hasChoice;
  }

  /** Resolves once the primary is known. Rejects if no server accepts writes. */
  async ready(): Promise<void> {
    if (!this.#doubted) return;
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined;
    });
    await this.#searching;
  }

  async #search(): Promise<void> {
    const states = await Promise.allSettled(this.#servers.map((server) => this.#ask(server)));
    const writable = states
      .map((state, i) => ({ wal: walOf(state), server: this.#servers[i] ?? '' }))
      .filter(({ wal }) => wal !== undefined)
      .sort((a, b) => ((a.wal ?? '') < (b.wal ?? '') ? 1 : -1));
    const [found] = writable;
    if (found === undefined) {
      const told = states.map((state, i) => `${hostName(this.#servers[i] ?? '')} ${describe(state)}`);
      throw new SurroundingsError('unavailable', `no database server accepts writes: ${told.join('; ')}`);
    }
    this.#current = found.server;
    this.#doubted = false;
  }

  async #ask(server: string): Promise<ServerState> {
    const client = new pg.Client({
      ...this.#settings,
      connectionString: server,
      connectionTimeoutMillis: RESPONSE_MS,
      query_timeout: RESPONSE_MS,
    });
    // A connection that breaks rejects its query; the event would end the process.
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<ServerState>(STATE);
      return rows[0] ?? { read_only: true, wal: null };
    } finally {
      void client.end().catch(() => {});
    }
  }
}

function walOf(state: PromiseSettledResult<ServerState>): string | undefined {
  if (state.status === 'rejected' || state.value.read_only) return undefined;
  return state.value.wal ?? undefined;
}

function describe(state: PromiseSettledResult<ServerState>): string {
  if (state.status === 'fulfilled') return state.value.wal === null ? 'is a standby' : 'is read-only';
  const { message, code } = state.reason as { message?: string; code?: string };
  return `cannot be reached (${code ?? message})`;
}
