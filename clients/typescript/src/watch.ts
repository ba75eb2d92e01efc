/** Ends one attempt if no byte moves for `idleMs`, or if the caller's signal aborts. */
export class Watch {
  readonly #ended = new AbortController();
  readonly #idleMs: number;
  readonly #caller: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How long nothing moved, if that ended the attempt. */
  timedOutMs: number | undefined;
  /** An error of the caller's stream or input. It is not a failure of the connection, so it is not retried. */
  callersError: { readonly error: unknown } | undefined;

  constructor(idleMs: number, caller: AbortSignal | undefined) {
    this.#idleMs = idleMs;
    this.#caller = caller;
    if (caller?.aborted === true) this.#abort();
    else caller?.addEventListener('abort', this.#abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  moving(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOutMs = this.#idleMs;
      this.#ended.abort(new Error('timed out'));
    }, this.#idleMs);
  }

  /** Stops the clock until the next `moving`. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  blame(error: unknown): never {
    this.callersError = { error };
    throw error;
  }

  blameCaller(check: () => unknown): void {
    try {
      check();
    } catch (error) {
      this.blame(error);
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#abort);
  }

  readonly #abort = () => this.#ended.abort(this.#caller?.reason);
}
