const FIRST_MS = 5_000;
const MAX_MS = 300_000;

/** Retries something that failed, each time after twice the wait. */
export class RetryLater {
  readonly #whenFailed: () => void;
  readonly #attempt: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor(whenFailed: () => void, attempt: () => void) {
    this.#whenFailed = whenFailed;
    this.#attempt = attempt;
  }

  failed(): void {
    clearTimeout(this.#timer);
    this.#whenFailed();
    this.#timer = setTimeout(this.#attempt, Math.min(MAX_MS, FIRST_MS * 2 ** this.#failures));
    this.#failures += 1;
  }

  /** Calls `whenFailed` again if nothing has succeeded since the last failure. */
  report(): void {
    if (this.#failures > 0) this.#whenFailed();
  }

  succeeded(): void {
    this.stop();
    this.#failures = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Attempts at once if something has failed. */
  now(): void {
    if (this.#failures === 0) return;
    this.stop();
    this.#attempt();
  }
}
