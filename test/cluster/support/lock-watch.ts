import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOOK_MS = 50;

/** The statement that has waited longest for a lock on a table. `waitstart` is null for an instant after the wait began. */
const LONGEST_WAIT = `
  select l.relation::regclass::text as "table", a.query,
    extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms
  from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and l.locktype = 'relation' and l.waitstart is not null
  order by l.waitstart limit 1`;

export interface LockWait {
  readonly table: string;
  readonly query: string;
  readonly ms: number;
}

/** Reads twenty times a second how long statements wait for locks on tables, and keeps the longest wait. */
export class LockWatch {
  longest: LockWait = { table: '', query: '', ms: 0 };
  /** The wait that the last look found. */
  current: LockWait | undefined;
  readonly #client: pg.Client;
  readonly #done: Promise<void>;
  #ends = false;

  private constructor(client: pg.Client) {
    this.#client = client;
    this.#done = this.#look();
    // `stop` reports the error.
    this.#done.catch(() => {});
  }

  static async start(url: string): Promise<LockWatch> {
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();
    return new LockWatch(client);
  }

  async stop(): Promise<void> {
    this.#ends = true;
    await this.#done.finally(() => this.#client.end());
  }

  async #look(): Promise<void> {
    while (!this.#ends) {
      const { rows } = await this.#client.query<LockWait>(LONGEST_WAIT);
      [this.current] = rows;
      if (this.current !== undefined && this.current.ms > this.longest.ms) this.longest = this.current;
      await sleep(LOOK_MS);
    }
  }
}
