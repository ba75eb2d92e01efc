/** The part of a file handle that flushing needs. */
export interface FlushedFile {
  datasync(): Promise<void>;
  sync(): Promise<void>;
}

/** Bytes after which the next flush begins. */
export const FLUSH_BYTES = 64_000_000;

/**
 * Flushes a file to its disk while it is being written, one flush at a time. Otherwise the disk idles until the last row is
 * filled: Linux starts to write a new file after 30 s, or when a tenth of the memory is waiting to be written.
 */
export class BackgroundFlush {
  readonly #file: FlushedFile;
  #waitingBytes = 0;
  #flushing: Promise<void> | undefined;
  #failure: unknown;

  constructor(file: FlushedFile) {
    this.#file = file;
  }

  wrote(chunks: readonly Uint8Array[]): void {
    for (const { length } of chunks) this.#waitingBytes += length;
    if (this.#waitingBytes < FLUSH_BYTES || this.#flushing !== undefined) return;
    this.#waitingBytes = 0;
    this.#flushing = this.#flush();
  }

  /** Flushes the rest. Rejects if any flush failed: the system reports a lost write only once. */
  async finish(): Promise<void> {
    await this.#flushing;
    if (this.#failure !== undefined) throw this.#failure;
    await this.#file.sync();
  }

  /** Resolves when no flush is running; the file can be closed then. */
  async idle(): Promise<void> {
    await this.#flushing;
  }

  async #flush(): Promise<void> {
    try {
      await this.#file.datasync();
    } catch (error) {
      this.#failure ??= error;
    }
    this.#flushing = undefined;
  }
}
