/** The owner of a piece of work, and how long the result is needed. */
export interface Turn {
  /** The account or the operator that the work is done for. */
  readonly owner: string;
  /** Aborts when the result is no longer needed, for example because the client disconnected. */
  readonly signal: AbortSignal;
}

export interface LineLimits {
  /** Maximum number of concurrent runs, of all owners together. */
  readonly size: number;
  /** Maximum time in the queue. */
  readonly maxWaitMs: number;
  /** Maximum number of queued pieces of work per owner. */
  readonly maxWaiting: number;
}

/** The work was dequeued or stopped because its signal was aborted. */
export class WorkAbandoned extends Error {
  constructor() {
    super('The client closed the connection before its work was done.');
    this.name = 'WorkAbandoned';
  }
}

/** The work did not run: its owner has too much queued work, or it waited too long. */
export class LineRefused extends Error {
  readonly retryAfterSeconds: number;

  constructor(reason: string, maxWaitMs: number) {
    super(`${reason} Retry later.`);
    this.name = 'LineRefused';
    this.retryAfterSeconds = Math.ceil(maxWaitMs / 1000);
  }
}

interface Waiting {
  readonly start: () => void;
}

/**
 * Runs at most `size` pieces of work concurrently and dequeues from all owners in turn. With two or more places, one owner never holds all
 * of them, so that the work of another owner starts at once.
 */
export class FairTurnstile {
  readonly #limits: LineLimits;
  readonly #share: number;
  /** Contains only owners with queued work. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  /** Sequence number of the last start of each owner that runs or waits. */
  readonly #lastStart = new Map<string, number>();
  #starts = 0;
  #free: number;

  constructor(limits: LineLimits) {
    this.#limits = limits;
    this.#share = Math.max(1, limits.size - 1);
    this.#free = limits.size;
  }

  /**
   * Runs `work` when a place is free. The place is freed when `work` ends, so aborted work must stop soon. Throws `WorkAbandoned`,
   * `LineRefused`, or what `work` throws.
   */
  async run<T>({ owner, signal }: Turn, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#mayStart(owner)) this.#take(owner);
    else await this.#wait(owner, signal);
    try {
      if (signal.aborted) throw new WorkAbandoned();
      const result = await work(signal);
      if (signal.aborted) throw new WorkAbandoned();
      return result;
    } catch (error) {
      throw signal.aborted ? new WorkAbandoned() : error;
    } finally {
      this.#leave(owner);
    }
  }

  #mayStart(owner: string): boolean {
    return this.#free > 0 && (this.#running.get(owner) ?? 0) < this.#share;
  }

  #take(owner: string): void {
    this.#free -= 1;
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    this.#starts += 1;
    this.#lastStart.set(owner, this.#starts);
  }

  #leave(owner: string): void {
    const left = (this.#running.get(owner) ?? 0) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#free += 1;
    this.#startNext();
    this.#forget(owner);
  }

  /** Starts at most one piece of work, because one place was freed: that of the owner whose last start is the oldest. */
  #startNext(): void {
    let next: string | undefined;
    for (const owner of this.#lines.keys())
      if (this.#mayStart(owner) && (next === undefined || this.#servedAt(owner) < this.#servedAt(next)))
        next = owner;
    if (next === undefined) return;
    const line = this.#lines.get(next) ?? [];
    const first = line.shift();
    if (line.length === 0) this.#lines.delete(next);
    this.#take(next);
    first?.start();
  }

  #servedAt(owner: string): number {
    return this.#lastStart.get(owner) ?? 0;
  }

  #forget(owner: string): void {
    if (!this.#running.has(owner) && !this.#lines.has(owner)) this.#lastStart.delete(owner);
  }

  #wait(owner: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw new WorkAbandoned();
    const { maxWaiting, maxWaitMs } = this.#limits;
    const line = this.#lines.get(owner) ?? [];
    if (line.length >= maxWaiting)
      throw new LineRefused(`${maxWaiting} requests of this account are waiting already.`, maxWaitMs);
    this.#lines.set(owner, line);
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        start: () => {
          end();
          resolve();
        },
      };
      const leave = (error: Error) => {
        end();
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#lines.delete(owner);
        this.#forget(owner);
        reject(error);
      };
      const onAbort = () => leave(new WorkAbandoned());
      const timer = setTimeout(
        () => leave(new LineRefused(`The request waited ${maxWaitMs} ms for its turn.`, maxWaitMs)),
        maxWaitMs,
      );
      signal.addEventListener('abort', onAbort, { once: true });
      line.push(waiting);
    });
  }
}
