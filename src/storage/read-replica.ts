import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Db } from './database.ts';
import { isStorageFault } from './storage-fault.ts';

/** A read waits this long until the replica has replayed what the primary had stored when the read began. */
export const MAX_LAG_MS = 500;
const LOOK_MS = 20;
/** Connecting and waiting together. A server that does not respond must not delay reads for longer. */
const PREPARE_MS = 2_000;
/** After a failure, reads use the primary for this time. */
const REST_MS = 5_000;

export type ReplicaState = 'none' | 'used' | 'behind' | 'unavailable' | 'unrelated';
type Problem = Exclude<ReplicaState, 'none' | 'used'>;

class ReplicaProblem extends Error {
  override readonly name = 'ReplicaProblem';
  readonly problem: Problem;

  constructor(problem: Problem, cause?: unknown) {
    super(`the read replica is ${problem}`, { cause });
    this.problem = problem;
  }
}

/** How far the primary is. Positions can be compared only between servers of one system and timeline. */
interface Position {
  readonly lsn: string;
  readonly timeline: string;
  readonly system: string;
}

/**
 * The flushed position contains every acknowledged commit. The name of the WAL file starts with the timeline, which every
 * promotion increases (PostgreSQL, "WAL Internals").
 */
const POSITION = sql<Position>`
  select pg_current_wal_flush_lsn()::text as lsn,
    left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline,
    (select system_identifier from pg_control_system())::text as system`;

/**
 * A standby knows the timeline of its last checkpoint. After a failover it is used again once it has made one, at most
 * `checkpoint_timeout` later. A server that is not in recovery has the timeline of the primary only if it is the primary.
 */
const progress = ({ lsn, timeline, system }: Position) => sql<{ related: boolean; arrived: boolean }>`
  select (select system_identifier from pg_control_system())::text = ${system}
      and case when pg_is_in_recovery() then lpad(upper(to_hex((select timeline_id from pg_control_checkpoint()))), 8, '0')
        else left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end = ${timeline} as related,
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
      >= ${lsn}::pg_lsn as arrived`;

/**
 * A server that answers reads instead of the primary. It never returns an older state than the primary had when the read
 * began; if it cannot, the primary answers.
 */
export class ReadReplica {
  readonly #primary: Db;
  readonly #replica: Database;
  readonly #onError: (error: unknown) => void;
  #restUntil = Number.NEGATIVE_INFINITY;

  /** `onError` receives failures of reads that the primary then answers. */
  constructor(primary: Db, replica: Database, onError: (error: unknown) => void) {
    this.#primary = primary;
    this.#replica = replica;
    this.#onError = onError;
  }

  async run<T>(work: (db: Db) => Promise<T>): Promise<T> {
    if (performance.now() < this.#restUntil) return work(this.#primary);
    try {
      return await this.#runOnReplica(await this.#findPosition(), work);
    } catch (error) {
      this.#onError(error);
      // Any other failure, such as a conflict with the replay, concerns this read alone.
      if (error instanceof ReplicaProblem || isStorageFault(error)) this.#rest();
      return work(this.#primary);
    }
  }

  /** Measures whether reads can use the replica now. */
  async measure(): Promise<Exclude<ReplicaState, 'none'>> {
    try {
      await this.#runOnReplica(await this.#findPosition(), async () => {});
      return 'used';
    } catch (error) {
      this.#rest();
      return error instanceof ReplicaProblem ? error.problem : 'unavailable';
    }
  }

  close(): Promise<void> {
    return this.#replica.close();
  }

  #rest(): void {
    this.#restUntil = performance.now() + REST_MS;
  }

  /** A service may not let its users read positions. Then nothing proves how far the replica is. */
  async #findPosition(): Promise<Position> {
    const { rows } = await POSITION.execute(this.#primary).catch((error: unknown) => {
      throw new ReplicaProblem('unavailable', error);
    });
    const [position] = rows;
    if (position === undefined) throw new Error('bug: the position returned no row');
    return position;
  }

  /** One transaction, so that a pooler or proxy leads the check and the read to the same server. */
  async #runOnReplica<T>(position: Position, work: (db: Db) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const { promise: expired, reject: expire } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.abort();
      expire(new ReplicaProblem('unavailable'));
    }, PREPARE_MS);
    const reading = this.#replica.db
      .transaction()
      .setIsolationLevel('read committed')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await waitForPosition(tx, position);
        // The primary is answering already.
        late.signal.throwIfAborted();
        clearTimeout(timer);
        return work(tx);
      });
    try {
      return await Promise.race([reading, expired]);
    } finally {
      clearTimeout(timer);
      // Nobody waits for a transaction that was too late.
      reading.catch(() => {});
    }
  }
}

async function waitForPosition(tx: Db, position: Position): Promise<void> {
  const giveUpAt = performance.now() + MAX_LAG_MS;
  for (;;) {
    const [found] = (await progress(position).execute(tx)).rows;
    if (found?.related !== true) throw new ReplicaProblem('unrelated');
    if (found.arrived) return;
    if (performance.now() > giveUpAt) throw new ReplicaProblem('behind');
    await sleep(LOOK_MS);
  }
}

const replicas = new WeakMap<Db, ReadReplica>();

/** Lets `readOnly` use a replica for reads of this database. */
export function attachReplica(primary: Db, replica: ReadReplica): void {
  replicas.set(primary, replica);
}

/**
 * Runs a read for a list, a count or a page on the replica of this database, if it has one, and on the database itself
 * otherwise. Do not use it for what decides: authentication, rights, request keys, limits.
 */
export function readOnly<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return replicas.get(db)?.run(work) ?? work(db);
}

export async function measureReplica(db: Db): Promise<ReplicaState> {
  return (await replicas.get(db)?.measure()) ?? 'none';
}
