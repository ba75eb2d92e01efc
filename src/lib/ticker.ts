export interface Chore {
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Periodic work of the whole installation. Must be safe on all nodes at once, although one node at a time runs it. */
export interface InstallationChore extends Chore {
  /** Stored with its last run, and the name of its lock. */
  readonly name: string;
  /** Minimum time between two runs, on any node; default: half of `everyMs`. */
  readonly restMs?: number;
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
