/** Whose work it is, and how long it is needed. */
export interface Turn {
  /** The account or the operator that the work is done for. */
  readonly owner: string;
  /** Aborts when nobody needs the result any more, for instance because the client disconnected. */
  readonly signal: AbortSignal;
}

export interface LineLimits {
  /** Runs at the same time, of all owners. */
  readonly size: number;
  /** How long work may wait for its turn. */
  readonly maxWaitMs: number;
  /** How much work of one owner may wait. */
  readonly maxWaiting: number;
}

/** The work was removed from the line or stopped because its signal was aborted. */
export class WorkAbandoned extends Error {
  constructor() {
    super('The client closed the connection before its work was done.');
    this.name = 'WorkAbandoned';
  }
}

/** The work did not run: too much of its owner waits already, or it waited for too long. */
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
 * Runs at most `size` pieces of work at once and takes the waiting ones from all owners in turn. One owner never holds
 * the last place if there are two or more, so that another owner's work starts at once however much the first one sends.
 */
export class FairTurnstile {
  readonly #limits: LineLimits;
  readonly #share: number;
  /** An owner without waiting work is not in it. */
  readonly #lines = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  /** The number of the last start of each owner that runs or waits. */
  readonly #lastStart = new Map<string, number>();
  #starts = 0;
  #free: number;

  constructor(limits: LineLimits) {
    this.#limits = limits;
    this.#share = Math.max(1, limits.size - 1);
    this.#free = limits.size;
  }

  /**
   * Runs `work` when its turn comes. The place is free again when `work` has ended: an aborted one must stop soon. Throws
   * `WorkAbandoned` or `LineRefused`, or what `work` throws.
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

  /** One place was freed, so at most one piece of work can start: that of the owner who was served longest ago. */
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
