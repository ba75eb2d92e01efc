import type pg from 'pg';
import { fromKysely, PgBoss } from 'pg-boss';
import { type Clock, systemClock } from '#lib/clock.ts';
import type { Tx } from '#storage/database.ts';
import type { BegunSlice } from '#storage/jobs/work-slices.ts';
import { markPrepared } from '#storage/prepared-statements.ts';
import { claimEntries } from '#storage/queue/claim-entries.ts';
import { createClaimIndex } from '#storage/queue/claim-index.ts';
import { claimSlices } from '#storage/queue/claim-slices.ts';
import { laneOf } from '#storage/queue/lanes.ts';
import { LaneClaims } from './lane-claims.ts';

/** The data of queue entries: only ids. The state is in our own tables. */
export interface QueueTasks {
  slice: { readonly jobId: string; readonly n: number };
  settle: { readonly jobId: string };
  webhook: { readonly deliveryId: string };
}
export type QueueName = keyof QueueTasks;
export const queueNames: readonly QueueName[] = ['slice', 'settle', 'webhook'];

export interface Claimed<Q extends QueueName> {
  readonly id: string;
  readonly retryCount: number;
  readonly data: QueueTasks[Q];
  /** The attempt that the claim has begun, if it has begun one. */
  readonly begun?: BegunSlice | undefined;
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** pg-boss rejects lower heartbeats. */
const MIN_HEARTBEAT_SECONDS = 10;

/**
 * The database counts from the start of its transaction, slightly before our own reading. Too early is worse than too
 * late.
 */
const MARGIN_SECONDS = 0.1;

const INDEX_ATTEMPTS = 5;

/** Runs pg-boss in a transaction. Its statements are large and fixed, so they are prepared once per connection. */
function inTransaction(tx: Tx): ReturnType<typeof fromKysely> {
  const db = fromKysely(tx);
  return { executeSql: (text, values) => db.executeSql(markPrepared(text), values) };
}

/**
 * The queue: pg-boss in our database, so that entries are written in the caller's transaction. It delivers at least
 * once; the fences in `storage/jobs` make every task take effect once.
 */
export class Queue {
  readonly #boss: PgBoss;
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #claims: Readonly<Record<QueueName, LaneClaims>>;
  readonly #leaseSeconds: number;
  readonly #clock: Clock;

  constructor(
    pool: pg.Pool,
    options: {
      readonly leaseMs: number;
      readonly supervise: boolean;
      readonly onError: (error: Error) => void;
      /** The clock of this machine; that of the database may differ. */
      readonly clock?: Clock;
    },
  ) {
    this.#pool = pool;
    this.#onError = options.onError;
    const { onError } = options;
    const claims = (name: QueueName, ages = false) => new LaneClaims(pool, name, { ages, onError });
    // Deliveries do not age: those of receivers that hang would take the places of all others.
    this.#claims = { slice: claims('slice', true), settle: claims('settle'), webhook: claims('webhook') };
    this.#clock = options.clock ?? systemClock;
    this.#leaseSeconds = Math.max(MIN_HEARTBEAT_SECONDS, Math.ceil(options.leaseMs / 1000));
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => pool.query(markPrepared(text), values) },
      supervise: options.supervise,
      // With the defaults (60 s, and off for monitoring) a killed worker's slice would wait for minutes.
      superviseIntervalSeconds: 5,
      monitorIntervalSeconds: 5,
      maintenanceIntervalSeconds: 60,
      schedule: false,
    });
    this.#boss.on('error', options.onError);
  }

  get heartbeatMs(): number {
    return (this.#leaseSeconds * 1000) / 3;
  }

  async start(): Promise<void> {
    await this.#boss.start();
    await this.#createClaimIndex();
    const options = {
      heartbeatSeconds: this.#leaseSeconds,
      // Our own attempt numbers end a job that cannot succeed; the queue must not give up first.
      retryLimit: 1000,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 30,
      expireInSeconds: 3600,
      retentionSeconds: 60 * 86_400,
      deleteAfterSeconds: 60,
    };
    for (const name of queueNames) {
      await this.#boss.createQueue(name, options);
      // createQueue does not change an existing queue, but a changed lease must apply to it.
      await this.#boss.updateQueue(name, options);
      // Fills pg-boss's cache of this queue. Otherwise the first insert fills it over a second connection, which
      // deadlocks if all connections wait for the transaction that inserts.
      await this.#boss.findJobs(name, { id: NO_JOB });
    }
  }

  /** Retried for a few seconds, then left to the next start: claims only slow down without it. */
  async #createClaimIndex(): Promise<void> {
    for (let i = 0; i < INDEX_ATTEMPTS; i += 1) if (await createClaimIndex(this.#pool)) return;
    this.#onError(new Error('the index of the queue could not be created: its table is locked'));
  }

  async stop(): Promise<void> {
    await Promise.all(queueNames.map((name) => this.#claims[name].idle()));
    await this.#boss.stop({ graceful: false, close: false });
  }

  /**
   * Enqueues slices. The priority falls with the number of open slices of the account, so that the first slice of
   * another account does not wait.
   */
  async addSlices(tx: Tx, jobId: string, numbers: readonly number[], alreadyOpen: number): Promise<void> {
    const entries = numbers.map((n, i) => ({
      data: { jobId, n },
      priority: laneOf(alreadyOpen + i),
      // Keeps the slices of a job in order, and apart for a claim that starts between them.
      startAfter: `${i} microseconds`,
      singletonKey: `${jobId}:${n}`,
    }));
    await this.#boss.insert('slice', entries, { db: inTransaction(tx) });
  }

  async addSettle(tx: Tx, jobId: string): Promise<void> {
    await this.#boss.insert('settle', [{ data: { jobId }, singletonKey: jobId }], { db: inTransaction(tx) });
  }

  /**
   * Enqueues a delivery. As with slices, an account whose receivers hang falls behind the others. The delay is sent as
   * a duration, not as a time: a database clock ahead of ours would hand the entry out at once, again and again, before
   * we consider it due.
   */
  async addWebhook(tx: Tx, deliveryId: string, at: Date, alreadyWaiting: number): Promise<void> {
    const entry = {
      data: { deliveryId },
      startAfter: this.#secondsUntil(at),
      priority: laneOf(alreadyWaiting),
      singletonKey: deliveryId,
    };
    await this.#boss.insert('webhook', [entry], { db: inTransaction(tx) });
  }

  #secondsUntil(at: Date): number {
    const seconds = (at.getTime() - this.#clock.now().getTime()) / 1000;
    return seconds <= 0 ? 0 : seconds + MARGIN_SECONDS;
  }

  async claim<Q extends QueueName>(name: Q, batchSize: number): Promise<Claimed<Q>[]> {
    return (await this.#claims[name].claim(batchSize, claimEntries)) as Claimed<Q>[];
  }

  /** Claims slices and begins them, which saves a statement and a write to disk for each. */
  async claimSlices(batchSize: number, now: Date): Promise<Claimed<'slice'>[]> {
    const claims = await this.#claims.slice.claim(batchSize, (pool, what) => claimSlices(pool, what, now));
    return claims as Claimed<'slice'>[];
  }

  async complete(
    name: QueueName,
    tasks: Claimed<QueueName> | readonly Claimed<QueueName>[],
    tx?: Tx,
  ): Promise<void> {
    await this.#boss.complete(name, [tasks].flat(), null, tx === undefined ? {} : { db: inTransaction(tx) });
  }

  /** Gives a task back. The queue hands it out again after a growing pause. */
  async giveBack(name: QueueName, task: Claimed<QueueName>): Promise<void> {
    await this.#boss.fail(name, task);
  }

  async heartbeat(name: QueueName, tasks: readonly Claimed<QueueName>[]): Promise<void> {
    await this.#boss.touch(name, [...tasks]);
  }

  async depth(name: QueueName): Promise<{ ready: number; active: number }> {
    const [stats] = await this.#boss.getQueueStats(name, { force: true });
    return { ready: stats?.readyCount ?? 0, active: stats?.activeCount ?? 0 };
  }
}
