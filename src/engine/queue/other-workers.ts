/** A process that has not announced itself for this long counts as ended. */
const FORGET_MS = 12_000;

/** The other processes that work on queues, as they have announced themselves. */
export class OtherWorkers {
  readonly #seen = new Map<string, number>();

  add(id: string): void {
    this.#seen.set(id, performance.now());
  }

  delete(id: string): void {
    this.#seen.delete(id);
  }

  /** Returns each process in turn, or undefined if none is known. */
  next(): string | undefined {
    const since = performance.now() - FORGET_MS;
    for (const [id, seenAt] of this.#seen) {
      this.#seen.delete(id);
      if (seenAt < since) continue;
      this.#seen.set(id, seenAt);
      return id;
    }
    return undefined;
  }
}
