import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '#lib/clock.ts';
import type { DatabaseClock } from '#lib/database-clock.ts';
import { Ticker } from '#lib/ticker.ts';
import type { Db } from '#storage/database.ts';
import { deleteNode, type NodeRecord, recordHeartbeat } from '#storage/nodes.ts';
import { readClock } from './node-clock.ts';

/** The facts about a process that do not change while it runs. */
export type NodeIdentity = Pick<NodeRecord, 'id' | 'name' | 'version' | 'role' | 'workers' | 'started_at'>;

export interface HeartbeatParts {
  readonly db: Db;
  /** The time that the product uses, and that of the database with the skew of this machine. */
  readonly clock: Clock;
  readonly databaseClock: DatabaseClock;
  readonly node: NodeIdentity;
  readonly running: () => number;
  readonly freeBytes: () => Promise<number | undefined>;
  readonly health: () => Promise<Readonly<Record<string, string | undefined>>>;
  readonly onError: (error: unknown) => void;
}

const EVERY_MS = 10_000;
const MISSING_AFTER_MS = 3 * EVERY_MS;
/** The row of a killed process stays for this long, so that operators see that it is missing. */
const KEPT_MS = 3_600_000;
const NANOSECONDS_PER_MS = 1e6;
/** A database that does not respond must not delay the end of requests and workers, which stop later. */
const CLOSE_MS = 2_000;

/** Reports whether a heartbeat of a node is overdue. */
export function isMissing({ heartbeat_at: last }: Pick<NodeRecord, 'heartbeat_at'>, now: Date): boolean {
  return now.getTime() - last.getTime() > MISSING_AFTER_MS;
}

/** Reads the database's clock and writes the row of this process, every ten seconds. Deletes the row when it is closed. */
export class Heartbeat {
  readonly #parts: HeartbeatParts;
  readonly #loop = monitorEventLoopDelay({ resolution: 20 });
  readonly #ticker: Ticker;

  constructor(parts: HeartbeatParts) {
    this.#parts = parts;
    this.#ticker = new Ticker({ everyMs: EVERY_MS, run: () => this.beat() }, parts.onError);
  }

  async start(): Promise<void> {
    this.#loop.enable();
    await this.beat().catch(this.#parts.onError);
    this.#ticker.start();
  }

  async beat(): Promise<void> {
    const { db, clock, databaseClock, node, running, freeBytes, health } = this.#parts;
    await readClock(db, databaseClock);
    const found = Object.entries(await health());
    const free = await freeBytes();
    const now = clock.now();
    const delay = this.#loop.percentile(99) / NANOSECONDS_PER_MS;
    this.#loop.reset();
    const row = {
      ...node,
      heartbeat_at: now,
      skew_ms: databaseClock.skewMs,
      running: running(),
      load: loadavg()[0] ?? 0,
      loop_delay_ms: delay,
      free_bytes: free ?? null,
      problems: found.flatMap(([name, problem]) => (problem === undefined ? [] : [`${name}: ${problem}`])),
    };
    await recordHeartbeat(db, row, new Date(now.getTime() - KEPT_MS));
  }

  async close(): Promise<void> {
    this.#loop.disable();
    await Promise.race([
      this.#leave(),
      new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref()),
    ]);
  }

  async #leave(): Promise<void> {
    const { db, node, onError } = this.#parts;
    await this.#ticker.stop();
    await deleteNode(db, node.id).catch(onError);
  }
}
