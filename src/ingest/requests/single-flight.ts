/**
 * One at a time per key in this process. Whoever waits here holds no database connection, so a thousand
 * retries of one slow request cannot starve the others.
 */
export class SingleFlight {
  readonly #running = new Map<string, Promise<void>>();

  /** Resolves when nobody runs under the key, or rejects with `TooLong` when that takes too long. */
  async waitFor(key: string, waitMs: number): Promise<boolean> {
    const running = this.#running.get(key);
    if (running === undefined) return false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TooLong()), Math.max(0, waitMs));
    });
    await Promise.race([running, late]).finally(() => clearTimeout(timer));
    return true;
  }

  /** The caller has just seen that nobody runs. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    if (this.#running.has(key)) throw new Error('bug: a second flight under one key');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running.set(key, promise);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      resolve();
    }
  }
}

export class TooLong extends Error {}
