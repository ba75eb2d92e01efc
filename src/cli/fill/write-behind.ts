import type { Output } from './output-file.ts';

/** So many additions may wait: the thread that fills rows goes on while the system is busy with earlier ones. */
const MOST_WAITING = 8;
/** Bytes that may wait: rows with photographs are as large as thousands of others. */
const MOST_WAITING_BYTES = 16_000_000;

/**
 * Writes to an output in order, behind the back of its caller, who waits only when there is too much to do. What has come
 * together during one write goes out in the next: a write takes a turn of the event loop, in which this thread may fill a
 * whole slice, so that writing slices one by one would hold up two threads.
 */
export class WriteBehind {
  readonly #output: Output;
  #waiting: (readonly Uint8Array[])[] = [];
  #waitingBytes = 0;
  /** The write under way, and the loop around it. */
  #current: Promise<void> = Promise.resolve();
  #writing: Promise<void> | null = null;

  constructor(output: Output) {
    this.#output = output;
  }

  /**
   * Resolves when there is room for more; rejects, here or in `finish`, when a write failed. `ownBytes` is what the chunks
   * take in memory, without those that many additions share.
   */
  async add(chunks: readonly Uint8Array[], ownBytes: number): Promise<void> {
    this.#waiting.push(chunks);
    this.#waitingBytes += ownBytes;
    if (this.#writing === null) {
      this.#writing = this.#writeWaiting();
      // Awaited later; until then it must not count as unhandled.
      this.#writing.catch(() => undefined);
    }
    if (this.#waiting.length > MOST_WAITING || this.#waitingBytes > MOST_WAITING_BYTES) await this.#current;
  }

  async finish(): Promise<void> {
    await this.#writing;
  }

  /** Ends when nothing waits; after a failure it does not begin again. */
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
