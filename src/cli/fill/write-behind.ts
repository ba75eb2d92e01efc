import type { Output } from './output-file.ts';

/** Maximum number of queued writes: the thread that fills rows continues while the system writes earlier ones. */
const MOST_WAITING = 8;
/** Maximum queued bytes: rows with photographs are as large as thousands of others. */
const MOST_WAITING_BYTES = 16_000_000;

/**
 * Writes to an output in order, in the background. The caller waits only if too much is queued. Chunks added during one
 * write go out together in the next: a write takes a turn of the event loop, in which this thread may fill a whole
 * slice, so writing slices one by one would block two threads.
 */
export class WriteBehind {
  readonly #output: Output;
  #waiting: (readonly Uint8Array[])[] = [];
  #waitingBytes = 0;
  /** The current write, and the loop around it. */
  #current: Promise<void> = Promise.resolve();
  #writing: Promise<void> | null = null;

  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Resolves when more can be queued; rejects, here or in `finish`, if a write failed. `ownBytes` is the memory of the
   * chunks, without chunks that many writes share.
   */
  async add(chunks: readonly Uint8Array[], ownBytes: number): Promise<void> {
    this.#waiting.push(chunks);
    this.#waitingBytes += ownBytes;
    if (this.#writing === null) {
      this.#writing = this.#writeWaiting();
      // Awaited later; until then a rejection must not count as unhandled.
      this.#writing.catch(() => undefined);
    }
    if (this.#waiting.length > MOST_WAITING || this.#waitingBytes > MOST_WAITING_BYTES) await this.#current;
  }

  async finish(): Promise<void> {
    await this.#writing;
  }

  /** Ends when the queue is empty. Does not start again after a failure. */
  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const chunks = this.#waiting.flat();
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#current = this.#output.write(chunks);
      await this.#current;
    }
    this.#writing = null;
  }
}
