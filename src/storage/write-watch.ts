import type pg from 'pg';
import { SurroundingsError } from '#lib/errors/surroundings-error.ts';
import { inBackground } from '#lib/foreground.ts';

/** A load balancer checks every few seconds and does not wait long. */
const CONFIRM_MS = 2_000;
const RETRY_MS = 1_000;

/**
 * Writes a WAL record and a commit without a table, so that the commit waits for the synchronous standby like any
 * other (PostgreSQL, "Replication Management Functions"). Every role may call it.
 */
const TINY_WRITE = `select pg_logical_emit_message(true, 'rowpress', '')`;
/** Sessions of our own role are visible to it. Without a commit that waits for a standby, a slow write is only slow. */
const WAITS_FOR_STANDBY = `select from pg_stat_activity where wait_event = 'SyncRep' limit 1`;

export interface WriteWatchParts {
  /** Opens a connection outside the pool, whose connections may all wait. */
  connect(): Promise<pg.Client>;
  /** True if the connection leads to a server that is not the primary any more. */
  isStale(client: pg.Client): boolean;
  /** Called every second while the database does not confirm writes. */
  onSuspended(): void;
}

/**
 * Checks whether the database confirms writes. A commit waits without limit for a synchronous standby that is gone, and
 * no timeout of the server ends that wait. While commits wait for it, the pool rejects writes at once, so that they do
 * not take every connection from reads. A machine that is only slow does not suspend writes.
 */
export class WriteWatch {
  readonly #parts: WriteWatchParts;
  #suspended = false;
  #check: Promise<void> | undefined;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: WriteWatchParts) {
    this.#parts = parts;
  }

  /** True while the database does not confirm writes. */
  get suspended(): boolean {
    return this.#suspended;
  }

  /**
   * Resolves when the database has confirmed a write, and rejects after two seconds without a confirmation. There is at
   * most one such write at a time, and it stays pending after its time: when the standby is back, it is confirmed.
   */
  confirm(): Promise<void> {
    this.#check ??= inBackground(() => this.#begin());
    return this.#check;
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#suspended = false;
    this.#abandon();
  }

  #begin(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const tooLate = () =>
      reject(new SurroundingsError('unavailable', 'the database does not confirm writes'));
    this.#write(tooLate)
      .finally(() => {
        this.#check = undefined;
      })
      .then(resolve, reject);
    return promise;
  }

  async #write(tooLate: () => void): Promise<void> {
    const client = await this.#parts.connect();
    this.#client = client;
    const timer = setTimeout(async () => {
      const waits = await this.#waitsForStandby();
      if (waits && this.#client === client) this.#suspend();
      tooLate();
    }, CONFIRM_MS);
    try {
      await client.query(TINY_WRITE);
      this.#suspended = false;
    } finally {
      clearTimeout(timer);
      this.#client = undefined;
      void client.end().catch(() => {});
    }
  }

  /** Returns false if the server does not respond in time: then reads fail too, and there is nothing to protect. */
  async #waitsForStandby(): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(resolve, CONFIRM_MS, false).unref());
    const ask = async () => {
      const client = await this.#parts.connect();
      try {
        const waiting = client.query(WAITS_FOR_STANDBY).then(({ rowCount }) => rowCount === 1);
        return await Promise.race([waiting, late]);
      } finally {
        // The connection may be open only after the time is over, and its statement may never return.
        void client.end().catch(() => {});
      }
    };
    return Promise.race([ask().catch(() => false), late]);
  }

  #suspend(): void {
    this.#suspended = true;
    this.#parts.onSuspended();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#tryAgain(), RETRY_MS).unref();
  }

  /** A new write is needed if the connection of the pending one broke or leads to a former primary. */
  #tryAgain(): void {
    if (!this.#suspended) return;
    if (this.#client !== undefined && this.#parts.isStale(this.#client)) this.#abandon();
    this.confirm().catch(() => {});
    this.#suspend();
  }

  /** Closes the connection of the pending write without cancelling it. */
  #abandon(): void {
    const client = this.#client as unknown as { connection: { stream: { destroy(): void } } } | undefined;
    client?.connection.stream.destroy();
  }
}
