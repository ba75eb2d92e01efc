import type { Output } from './output-file.ts';

/** So many writes may wait: the thread that fills rows goes on while the system is busy with earlier ones. */
const MOST_WAITING = 4;

/** Writes to an output in order, behind the back of its caller, who waits only when there is too much to do. */
export class WriteBehind {
  readonly #output: Output;
  #last: Promise<void> = Promise.resolve();
  readonly #waiting: Promise<void>[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  /** Resolves when there is room for more; a write that failed is told here or by `finish`. */
  async add(chunks: readonly Uint8Array[]): Promise<void> {
    this.#last = this.#last.then(() => this.#output.write(chunks));
    // Awaited later; until then it must not count as unhandled.
    this.#last.catch(() => undefined);
    this.#waiting.push(this.#last);
    if (this.#waiting.length > MOST_WAITING) await this.#waiting.shift();
  }

  async finish(): Promise<void> {
    await this.#last;
  }
}
