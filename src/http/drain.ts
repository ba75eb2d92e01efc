/**
 * The state of a server that stops. While it drains, `/readyz` is 503, responses carry `Connection: close`, and `signal` aborts, so
 * that requests that only wait (a sync window, an event stream) answer with the current state.
 */
export class Drain {
  readonly #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get draining(): boolean {
    return this.#controller.signal.aborted;
  }

  begin(): void {
    this.#controller.abort();
  }
}
