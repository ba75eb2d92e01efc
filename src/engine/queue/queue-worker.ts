import type { Service, Services } from '../services.ts';
import type { Claimed, Queue, QueueName } from './queue.ts';
import type { Signals } from './signals.ts';

export interface QueueWorkerOptions<Q extends QueueName> {
  readonly queue: Queue;
  readonly signals: Signals;
  readonly name: Q;
  readonly concurrency: number;
  readonly services: Services;
  /** The services without which it claims nothing. */
  readonly needs: readonly Service[];
  /** Claims up to `limit` tasks; by default, from the queue as they are. */
  readonly claim?: (limit: number) => Promise<Claimed<Q>[]>;
  /** Resolves when the task has ended in any way. A rejection gives it back to the queue. */
  readonly handle: (task: Claimed<Q>, signal: AbortSignal) => Promise<void>;
  readonly onError: (error: unknown, task?: Claimed<Q>) => void;
}

/** Signals may be lost, so an idle worker polls once a second. */
const POLL_MS = 1_000;
/** Tasks not returned to the queue by then are claimed by another process when their lease expires. */
const GIVE_BACK_MS = 1_000;
/** Tasks that end within this time of each other are replaced by one claim. */
const GATHER_MS = 3;
/** The least time between two hints to other processes that there is more work than this one can start. */
const LEAVE_MS = 50;

/**
 * Keeps up to `concurrency` tasks of one queue running. Claims only tasks that it can start at once, so that a busy
 * process never holds a waiting task. Owns the poll timer and the heartbeat timer.
 */
export class QueueWorker<Q extends QueueName> {
  readonly #options: QueueWorkerOptions<Q>;
  readonly #running = new Map<Claimed<Q>, Promise<void>>();
  readonly #beating = new Set<Claimed<Q>>();
  readonly #stop = new AbortController();
  readonly #abandon = new AbortController();
  #wake: () => void = () => {};
  #awake = false;
  /** Whether there may be tasks that it could not start when it last looked. */
  #mayHaveMore = false;
  #nextWorkLeft = 0;
  #loop: Promise<void> = Promise.resolve();
  #heartbeat: NodeJS.Timeout | undefined;
  #unsubscribe: () => void = () => {};

  constructor(options: QueueWorkerOptions<Q>) {
    this.#options = options;
  }

  /** The number of running tasks. */
  get size(): number {
    return this.#running.size;
  }

  start(): void {
    const { signals, name, queue } = this.#options;
    this.#unsubscribe = signals.onWork(name, () => this.#hint());
    this.#heartbeat = setInterval(() => this.#beat(), queue.heartbeatMs);
    this.#loop = this.#run();
  }

  /**
   * Claims nothing new, lets running tasks end within `graceMs`, then aborts them and waits until they are returned to
   * the queue.
   */
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

  /** Resolves when nothing runs any more, or after `withinMs`. */
  async #drained(withinMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    const drained = Promise.allSettled(this.#running.values());
    await Promise.race([drained, new Promise((resolve) => setTimeout(resolve, withinMs).unref())]);
  }

  async #run(): Promise<void> {
    const { queue, name, concurrency, services, needs, onError } = this.#options;
    const claim = this.#options.claim ?? ((limit) => queue.claim(name, limit));
    while (!this.#stop.signal.aborted) {
      await services.available(needs, this.#stop.signal);
      // A task has just ended, and others may follow at once: claim for all of them together.
      if (this.#running.size > 0) await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      this.#awake = false;
      const free = concurrency - this.#running.size;
      let claimed: Claimed<Q>[] = [];
      try {
        if (free > 0 && !this.#stop.signal.aborted) claimed = await claim(free);
      } catch (error) {
        // Begins the outage before the error is logged, so that each outage is logged once.
        await services.check();
        onError(error);
      }
      for (const task of claimed) this.#begin(task);
      this.#mayHaveMore = claimed.length === free;
      const isFull = this.#running.size >= concurrency;
      if (this.#mayHaveMore && isFull) this.#leaveWork();
      if (!this.#mayHaveMore || isFull) await this.#sleep(POLL_MS);
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
        if (this.#mayHaveMore) this.#nudge();
      }
    })();
    this.#running.set(task, done);
  }

  /**
   * Sends a heartbeat for each task separately, and never two at once for the same task. The transaction that finishes
   * a task locks its row, and the heartbeats of a long one would pile up behind it until they hold every connection.
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

  /** Returns false if all places are taken. It then claims when a task ends. */
  #hint(): boolean {
    const isFree = this.#running.size < this.#options.concurrency;
    if (isFree) this.#nudge();
    else this.#mayHaveMore = true;
    return isFree;
  }

  /** Wakes another process, but not with every claim: while all are busy, there is always more. */
  #leaveWork(): void {
    const now = performance.now();
    if (now < this.#nextWorkLeft) return;
    this.#nextWorkLeft = now + LEAVE_MS;
    this.#options.signals.workLeft(this.#options.name);
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
