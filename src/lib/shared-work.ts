import { WorkAbandoned } from './fair-turnstile.ts';

/** Work that several callers wait for. It is aborted once all of them have left. */
export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #callers = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
    // Callers observe a rejection through `join`. Without a caller it must not end the process.
    this.#result.catch(() => undefined);
  }

  /** Whether all callers left, so that a new one must start the work again. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /**
   * Waits for the result. A caller that leaves while others wait is released with them, because the work may read files of that caller.
   */
  async join(signal: AbortSignal): Promise<T> {
    this.#callers += 1;
    const leave = () => {
      this.#callers -= 1;
      if (this.#callers === 0) this.#controller.abort();
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    try {
      const result = await this.#result;
      if (signal.aborted) throw new WorkAbandoned();
      return result;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }
}
