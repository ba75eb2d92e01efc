import type { Claimed, Queue, QueueName } from './queue.ts';
import type { Signals } from './signals.ts';

export interface QueueWorkerOptions<Q extends QueueName> {
  readonly queue: Queue;
  readonly signals: Signals;
  readonly name: Q;
  readonly concurrency: number;
  /** Resolves when the task has ended, whichever way; a throw gives it back to the queue. */
  readonly handle: (task: Claimed<Q>, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, task?: Claimed<Q>) => void;
}

/** Hints may be lost, so an idle worker looks by itself once a second. */
const POLL_MS = 1_000;
const DATABASE_AWAY_MS = 1_000;
/** What is not given back by then is taken by another process when its lease has run out. */
const GIVE_BACK_MS = 1_000;
/** Tasks that end within so little of each other are replaced by one claim. */
const GATHER_MS = 3;

/**
 * Keeps up to `concurrency` tasks of one queue running. It claims only what it can start at once, so that a
 * waiting task is never held by a busy process. It owns the poll timer and the heartbeat timer.
 */
export class QueueWorker<Q extends QueueName> {
  readonly #options: QueueWorkerOptions<Q>;
  readonly #running = new Map<Claimed<Q>, Promise<void>>();
  readonly #beating = new Set<Claimed<Q>>();
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  #wake: () => void = () => {};
  #awake = false;
  #loop: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};

  constructor(options: QueueWorkerOptions<Q>) {
    this.#options = options;
  }

  start(): void {
    const { signals, name, queue } = this.#options;
    this.#unsubscribe = signals.onWork(name, () => this.#nudge());
    this.#heartbeat = setInterval(() => this.#beat(), queue.heartbeatMs);
    this.#loop = this.#run();
  }

  /** Takes nothing new, lets what runs end within `graceMs`, then aborts it, and waits until it has been given back. */
  async stop(graceMs: number): Promise<void> {
    this.#stop.abort();
    this.#unsubscribe();
    this.#nudge();
    await this.#loop;
    await this.#drained(graceMs);
    this.#abandon.abort();
    await this.#drained(GIVE_BACK_MS);
    clearInterval(this.#heartbeat);
  }

  /** When nothing runs any more, or time is up. */
  async #drained(withinMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    const drained = Promise.allSettled(this.#running.values());
    await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, withinMs).unref())]);
  }

  async #run(): Promise<void> {
    const { queue, name, concurrency, onError } = this.#options;
    while (!this.#stop.signal.aborted) {
      // Something runs: a place has become free, and others may follow at once.
      if (this.#running.size > 0) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      this.#awake = false;
      const free = concurrency - this.#running.size;
      let claimed: Claimed<Q>[] = [];
      let pause = POLL_MS;
      try {
        if (free > 0) claimed = await queue.claim(name, free);
      } catch (error) {
        onError(error);
        pause = DATABASE_AWAY_MS;
      }
      for (const task of claimed) this.#begin(task);
      const mayHaveMore = claimed.length === free && free > 0 && this.#running.size < concurrency;
      if (!mayHaveMore) await this.#sleep(pause);
    }
  }

  #begin(task: Claimed<Q>): void {
    const { queue, name, handle, onError } = this.#options;
    const done = (async () => {
      try {
        await handle(task, this.#abandon.signal);
      } catch (error) {
        onError(error, task);
        await queue.giveBack(name, task).catch(onError);
      } finally {
        this.#running.delete(task);
        this.#nudge();
      }
    })();
    this.#running.set(task, done);
  }

  /**
   * Each task for itself, and none twice at once: the transaction that finishes a task locks its row, and the
   * signs of life of a long one would pile up behind it until they hold every connection.
   */
  #beat(): void {
    const { queue, name, onError } = this.#options;
    for (const task of this.#running.keys()) {
      if (this.#beating.has(task)) continue;
      this.#beating.add(task);
      void queue
        .heartbeat(name, [task])
        .catch(onError)
        .finally(() => this.#beating.delete(task));
    }
  }

  #nudge(): void {
    this.#awake = true;
    this.#wake();
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#awake) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
