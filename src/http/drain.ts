/**
 * The server's way out. Once draining, `/readyz` says no, answers carry `Connection: close`, and `signal`
 * tells every request that only waits (a sync window, an event stream) to finish with what it has.
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
