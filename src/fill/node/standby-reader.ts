import type { CappedChild } from './capped-child.ts';
import { DEFAULT_PARSE_LIMITS, type ParseLimits, startReader } from './prepare-in-child.ts';

/**
 * Keeps one reader process started and waiting, so that a new source does not wait for the modules to load (about half of
 * the time). Each reader serves one source and ends. The next one is started when a reader is taken. With `keepMs`, a reader
 * that waited so long ends, because it takes 77 MB; the next source then starts its own.
 */
export class StandbyReader {
  readonly #limits: ParseLimits;
  readonly #keepMs: number | undefined;
  #waiting: CappedChild | null = null;
  #expiry: NodeJS.Timeout | undefined;

  constructor({ limits = DEFAULT_PARSE_LIMITS, keepMs }: { limits?: ParseLimits; keepMs?: number } = {}) {
    this.#limits = limits;
    this.#keepMs = keepMs;
    this.#wait();
  }

  /** The waiting reader. With `last`, no other is started. */
  take(last = false): CappedChild {
    const waiting = this.#waiting?.hasEnded === true ? null : this.#waiting;
    const reader = waiting ?? this.#start();
    this.#waiting = null;
    clearTimeout(this.#expiry);
    if (!last) this.#wait();
    return reader;
  }

  async close(): Promise<void> {
    clearTimeout(this.#expiry);
    await this.#waiting?.dismiss();
    this.#waiting = null;
  }

  #wait(): void {
    const reader = this.#start();
    this.#waiting = reader;
    if (this.#keepMs === undefined) return;
    this.#expiry = setTimeout(() => {
      this.#waiting = null;
      void reader.dismiss();
    }, this.#keepMs).unref();
  }

  #start(): CappedChild {
    const reader = startReader(this.#limits);
    reader.unref();
    return reader;
  }
}
