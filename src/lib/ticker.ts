export interface Chore {
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Runs a chore repeatedly, never concurrently. It owns its timer; `stop` waits for the running chore. */
export class Ticker {
  readonly #chore: Chore;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();
  #stopped = true;

  constructor(chore: Chore, onError: (error: unknown) => void) {
    this.#chore = chore;
    this.#onError = onError;
  }

  start(): void {
    this.#stopped = false;
    this.#later();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #later(): void {
    if (this.#stopped) return;
    // Jitter, so that nodes started together do not all sweep in the same second.
    const jitter = this.#chore.everyMs * (0.9 + 0.2 * Math.random());
    this.#timer = setTimeout(() => {
      this.#running = this.#chore
        .run()
        .catch(this.#onError)
        .finally(() => this.#later());
    }, jitter);
  }
}
