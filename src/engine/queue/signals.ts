import type pg from 'pg';
import { systemIds } from '#lib/ids.ts';
import type { DatabaseAddress } from '#storage/database.ts';
import { type Listener, sendSignals, startListener } from '#storage/listener.ts';
import { OtherWorkers } from './other-workers.ts';

/** Names that no queue has. Nodes of earlier releases ignore them. */
const HERE = '!here';
const GONE = '!gone';
/** Processes that are all busy claim on their own when a task ends, so a hint need not visit all of them. */
const MAX_HOPS = 3;
const ANNOUNCE_MS = 5_000;

/** Receives a hint that a queue has work. Returns false if it cannot start any now. */
export type WakeWorker = () => boolean;

/**
 * Signals between processes: "this queue has work", "this job has changed". A signal may be lost (the process dies
 * after its commit, the connection is down), so nothing depends on one: workers also poll, and waiters also re-read.
 * Signals are sent after the commit they refer to, and batched while one is being sent.
 *
 * New work wakes one process: this one, if it can start the work, or another one that has announced itself. A process
 * that is busy passes the hint on.
 */
export class Signals {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #id = systemIds.uuid();
  readonly #others = new OtherWorkers();
  readonly #work = new Map<string, Set<WakeWorker>>();
  readonly #jobs = new Map<string, Set<() => void>>();
  readonly #anyJob = new Set<(jobId: string) => void>();
  #listener: Listener | undefined;
  #unsent = new Set<string>();
  #sending: Promise<void> | undefined;
  #closed = false;
  #announcing: NodeJS.Timeout | undefined;

  constructor(pool: pg.Pool, onError: (error: Error) => void) {
    this.#pool = pool;
    this.#onError = onError;
  }

  async start(address: DatabaseAddress): Promise<void> {
    this.#listener = await startListener(address, {
      onSignal: (payload) => this.#deliver(payload),
      onReconnect: () => this.#wakeAll(),
      onError: this.#onError,
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#announcing);
    await this.#sending;
    await this.#listener?.close();
  }

  /** How often a waiter must re-read. */
  get rereadMs(): number {
    return this.#listener?.hears === true ? 5_000 : 1_000;
  }

  /** Wakes one process for new work. */
  workAdded(queue: string): void {
    if (!this.#wakeWorkers(queue)) this.workLeft(queue);
  }

  /** Wakes one other process, for work that this one cannot start. */
  workLeft(queue: string, hops = MAX_HOPS): void {
    const id = this.#others.next();
    // No worker is known: it may have started just now, or belong to an earlier release.
    if (id === undefined) this.#send(`work:${queue}`);
    else if (hops > 0) this.#send(`work:${queue}@${id}@${hops - 1}`);
  }

  jobChanged(jobId: string): void {
    this.#deliver(`job:${jobId}`);
    this.#send(`job:${jobId}`);
  }

  onWork(queue: string, wake: WakeWorker): () => void {
    const unsubscribe = subscribe(this.#work, queue, wake);
    this.#announcing ??= setInterval(() => this.#announce(), ANNOUNCE_MS).unref();
    this.#announce();
    return () => {
      unsubscribe();
      if (this.#work.size > 0) return;
      clearInterval(this.#announcing);
      this.#announcing = undefined;
      this.#send(`work:${GONE}@${this.#id}`);
    };
  }

  #announce(): void {
    this.#send(`work:${HERE}@${this.#id}`);
  }

  onJob(jobId: string, wake: () => void): () => void {
    return subscribe(this.#jobs, jobId, wake);
  }

  /** Subscribes to every job change. */
  onAnyJob(hear: (jobId: string) => void): () => void {
    this.#anyJob.add(hear);
    return () => void this.#anyJob.delete(hear);
  }

  #send(payload: string): void {
    this.#unsent.add(payload);
    this.#sending ??= this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.size > 0 && !this.#closed) {
      const payloads = [...this.#unsent];
      this.#unsent = new Set();
      await sendSignals(this.#pool, payloads).catch(this.#onError);
    }
    this.#sending = undefined;
  }

  #deliver(payload: string): void {
    const name = payload.slice(payload.indexOf(':') + 1);
    if (payload.startsWith('work:')) this.#deliverWork(name);
    else {
      for (const wake of [...(this.#jobs.get(name) ?? [])]) wake();
      for (const listener of [...this.#anyJob]) listener(name);
    }
  }

  #deliverWork(name: string): void {
    const [queue = '', id, hops] = name.split('@');
    if (id === undefined) this.#wakeWorkers(queue);
    else if (id === this.#id) {
      if (hops !== undefined && !this.#wakeWorkers(queue)) this.workLeft(queue, Number(hops));
    } else if (queue === HERE) this.#others.add(id);
    else if (queue === GONE) this.#others.delete(id);
  }

  #wakeWorkers(queue: string): boolean {
    // All of them, before the results are combined.
    return [...(this.#work.get(queue) ?? [])].map((wake) => wake()).includes(true);
  }

  #wakeAll(): void {
    for (const listeners of [this.#work, this.#jobs])
      for (const wakes of [...listeners.values()]) for (const wake of [...wakes]) wake();
  }
}

function subscribe<Wake>(listeners: Map<string, Set<Wake>>, name: string, wake: Wake): () => void {
  const wakes = listeners.get(name) ?? new Set<Wake>();
  listeners.set(name, wakes.add(wake));
  return () => {
    wakes.delete(wake);
    if (wakes.size === 0 && listeners.get(name) === wakes) listeners.delete(name);
  };
}
