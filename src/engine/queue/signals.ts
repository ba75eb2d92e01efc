import type pg from 'pg';
import type { DatabaseAddress } from '#storage/database.ts';
import { type Listener, sendSignals, startListener } from '#storage/listener.ts';

/**
 * Signals between processes: "this queue has work", "this job has changed". A signal may be lost (the process dies
 * after its commit, the connection is down), so nothing depends on one: workers also poll, and waiters also re-read.
 * Signals are sent after the commit they refer to, and batched while one is being sent.
 */
export class Signals {
  readonly #pool: pg.Pool;
  readonly #onError: (error: Error) => void;
  readonly #work = new Map<string, Set<() => void>>();
  readonly #jobs = new Map<string, Set<() => void>>();
  readonly #anyJob = new Set<(jobId: string) => void>();
  #listener: Listener | undefined;
  #unsent = new Set<string>();
  #sending = false;
  #closed = false;

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
    await this.#listener?.close();
  }

  /** How often a waiter must re-read. */
  get rereadMs(): number {
    return this.#listener?.hears === true ? 5_000 : 1_000;
  }

  workAdded(queue: string): void {
    this.#say(`work:${queue}`);
  }

  jobChanged(jobId: string): void {
    this.#say(`job:${jobId}`);
  }

  onWork(queue: string, wake: () => void): () => void {
    return subscribe(this.#work, queue, wake);
  }

  onJob(jobId: string, wake: () => void): () => void {
    return subscribe(this.#jobs, jobId, wake);
  }

  /** Subscribes to every job change. */
  onAnyJob(hear: (jobId: string) => void): () => void {
    this.#anyJob.add(hear);
    return () => void this.#anyJob.delete(hear);
  }

  #say(payload: string): void {
    this.#deliver(payload);
    this.#unsent.add(payload);
    if (!this.#sending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#sending = true;
    while (this.#unsent.size > 0 && !this.#closed) {
      const payloads = [...this.#unsent];
      this.#unsent = new Set();
      await sendSignals(this.#pool, payloads).catch(this.#onError);
    }
    this.#sending = false;
  }

  #deliver(payload: string): void {
    const colon = payload.indexOf(':');
    const listeners = payload.startsWith('work:') ? this.#work : this.#jobs;
    const name = payload.slice(colon + 1);
    for (const wake of [...(listeners.get(name) ?? [])]) wake();
    if (listeners === this.#jobs) for (const listener of [...this.#anyJob]) listener(name);
  }

  #wakeAll(): void {
    for (const listeners of [this.#work, this.#jobs])
      for (const wakes of [...listeners.values()]) for (const wake of [...wakes]) wake();
  }
}

function subscribe(listeners: Map<string, Set<() => void>>, name: string, wake: () => void): () => void {
  const wakes = listeners.get(name) ?? new Set();
  listeners.set(name, wakes.add(wake));
  return () => {
    wakes.delete(wake);
    if (wakes.size === 0 && listeners.get(name) === wakes) listeners.delete(name);
  };
}
