import type { CappedChild } from './capped-child.ts';
import { DEFAULT_PARSE_LIMITS, type ParseLimits, startReader } from './prepare-in-child.ts';

/**
 * Keeps one reader process started and waiting, so that a new source does not wait for the modules to load (about half of
 * the time). Each reader serves one source and ends. The next one is started when a reader is taken.
 */
export class StandbyReader {
  readonly #limits: ParseLimits;
  #waiting: CappedChild | null;

  constructor(limits: ParseLimits = DEFAULT_PARSE_LIMITS) {
    this.#limits = limits;
    this.#waiting = this.#start();
  }

  /** The waiting reader. With `last`, no other is started. */
  take(last = false): CappedChild {
    const waiting = this.#waiting?.hasEnded === true ? null : this.#waiting;
    const reader = waiting ?? this.#start();
    this.#waiting = last ? null : this.#start();
    return reader;
  }

  async close(): Promise<void> {
    await this.#waiting?.dismiss();
    this.#waiting = null;
  }

  #start(): CappedChild {
    const reader = startReader(this.#limits);
    reader.unref();
    return reader;
  }
}
