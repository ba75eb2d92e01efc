/** Runs one request per key at a time in this process. Waiting requests hold no database connection. */
export class SingleFlight {
  readonly #running = new Map<string, Promise<void>>();

  /**
   * Runs `work` if nothing runs under the key. Otherwise waits until that has ended and returns undefined, or rejects
   * with `TooLong` after `waitMs`.
   */
  async runOrWait<T>(
    key: string,
    waitMs: number,
    work: () => Promise<T>,
  ): Promise<{ readonly value: T } | undefined> {
    // No await between the check and the registration: two requests must not both find the key free.
    const running = this.#running.get(key);
    if (running === undefined) return { value: await this.#run(key, work) };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TooLong()), Math.max(0, waitMs));
    });
    await Promise.race([running, late]).finally(() => clearTimeout(timer));
    return undefined;
  }

  async #run<T>(key: string, work: () => Promise<T>): Promise<T> {
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

/**
 * Runs an attempt whose claim another node may block. If the attempt has not called `started` after `waitMs`, the result
 * is `TooLong`; the attempt then throws when it calls `started`, which rolls it back.
 */
export async function withinWait<T>(
  waitMs: number,
  attempt: (started: () => void) => Promise<T>,
): Promise<T> {
  let state: 'waiting' | 'started' | 'left' = 'waiting';
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      if (state !== 'waiting') return;
      state = 'left';
      reject(new TooLong());
    }, waitMs);
  });
  const running = attempt(() => {
    if (state === 'left') throw new TooLong();
    state = 'started';
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
    running.catch(() => {}); // An abandoned attempt rolls back; its error has no receiver.
  }
}

/** The first request with the key did not end in time. */
export class TooLong extends Error {}
