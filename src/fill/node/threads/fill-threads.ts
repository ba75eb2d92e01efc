import type { FilledPiece } from '#fill/fill-rows.ts';
import { FillThread, type ThreadLimits } from './thread-handle.ts';
import type { Template } from './thread-messages.ts';

/** Tails of a slice that may be on their way to the store: one piece is written while the next is filled. */
const MAX_UNTAKEN_BYTES = 8_000_000;

/**
 * A pool of fill threads. A server claims one thread per slice; `rowpress fill` claims all of them for its run (run-rows.ts).
 * Threads start when they are first needed, or earlier by `start` or `warmUp`, and a dead one is replaced.
 */
export class FillThreads {
  readonly #limits: ThreadLimits;
  #size: number;
  readonly #idle: FillThread[] = [];
  readonly #waiting: ((thread: FillThread) => void)[] = [];
  #alive = 0;
  #closed = false;

  constructor(size: number, limits: ThreadLimits) {
    this.#size = size;
    this.#limits = limits;
  }

  /** Starts threads, so that there are `size` of them. They load the engine before there is anything to fill. */
  start(size: number): void {
    this.#size = Math.max(this.#size, size);
    while (this.#alive < this.#size) this.#idle.push(this.#create());
  }

  /** Loads the engine on every thread now, so that the first job after a start does not wait for it. */
  warmUp(onError: (error: unknown) => void): void {
    for (let thread = this.#alive; thread < this.#size; thread += 1)
      void this.#use((claimed) => claimed.warmUp()).catch(onError);
  }

  /**
   * Fills rows (lines of normalised JSON) on one thread and yields them in pieces of bounded size. The thread waits for a
   * slow caller. It ends when `signal` aborts, and when the caller leaves before the last piece.
   */
  async *fill(
    template: Template,
    firstRow: number,
    lines: Uint8Array,
    signal: AbortSignal,
  ): AsyncGenerator<FilledPiece> {
    signal.throwIfAborted();
    const thread = await this.claim();
    if (signal.aborted) await this.release(thread);
    signal.throwIfAborted();
    const onAbort = () => void thread.end(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
    const rows = { kind: 'lines', bytes: lines } as const;
    const slice = thread.fill(template, 'records', { firstRow, rows, maxUntakenBytes: MAX_UNTAKEN_BYTES });
    try {
      for (;;) {
        const piece = slice.take();
        if (piece !== undefined) yield piece;
        else if (slice.isFilled) return;
        else await slice.fillMore();
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      slice.drop();
      await this.release(thread);
    }
  }

  /** Takes a thread out of the pool. Waits while all are in use. */
  claim(): Promise<FillThread> | FillThread {
    const idle = this.#takeIdle();
    if (idle !== undefined) return idle;
    if (this.#alive < this.#size) return this.#create();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Takes all idle threads out of the pool, after replacing dead ones. */
  claimAll(): FillThread[] {
    const claimed: FillThread[] = [];
    for (let idle = this.#takeIdle(); idle !== undefined; idle = this.#takeIdle()) claimed.push(idle);
    while (this.#alive < this.#size) claimed.push(this.#create());
    return claimed;
  }

  /** Returns a thread to the pool, or ends it if it is still filling rows. */
  async release(thread: FillThread): Promise<void> {
    const next = this.#waiting.shift();
    if (!thread.isDead && thread.pending === 0 && !this.#closed) {
      if (next === undefined) this.#idle.push(thread);
      else next(thread);
      return;
    }
    this.#alive -= 1;
    next?.(this.#create());
    await thread.end();
  }

  /** Ends the idle threads. A thread in use ends when it is released. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()));
  }

  async #use(work: (thread: FillThread) => Promise<void>): Promise<void> {
    const thread = await this.claim();
    try {
      await work(thread);
    } finally {
      await this.release(thread);
    }
  }

  #create(): FillThread {
    this.#alive += 1;
    return new FillThread(this.#limits);
  }

  #takeIdle(): FillThread | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isDead) return idle;
      // It died while it was idle.
      this.#alive -= 1;
    }
    return undefined;
  }
}
