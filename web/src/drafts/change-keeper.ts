/**
 * Writes changes after a short pause, or at once on request. A change during a write is written after it; the state is "kept"
 * only if nothing has changed since the write began.
 */
export class ChangeKeeper {
  /** Returns false if there is nothing to write. */
  readonly #write: () => Promise<boolean>;
  readonly #tell: (state: 'waiting' | 'kept' | 'failed') => void;
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #changes = 0;
  #kept = 0;

  constructor(
    write: () => Promise<boolean>,
    tell: (state: 'waiting' | 'kept' | 'failed') => void,
    pauseMs: number,
  ) {
    this.#write = write;
    this.#tell = tell;
    this.#pauseMs = pauseMs;
  }

  changed(): void {
    this.#changes += 1;
    clearTimeout(this.#timer);
    this.#tell('waiting');
    this.#timer = setTimeout(() => void this.keepNow(), this.#pauseMs);
  }

  /** Whether there is a change that is not written yet. */
  get hasChanges(): boolean {
    return this.#changes !== this.#kept;
  }

  async keepNow(): Promise<void> {
    const changes = this.#changes;
    if (changes === this.#kept) return;
    clearTimeout(this.#timer);
    try {
      if (!(await this.#write())) return;
      this.#kept = Math.max(this.#kept, changes);
      if (changes === this.#changes) this.#tell('kept');
    } catch {
      this.#tell('failed');
    }
  }
}
