/** The parts that a start has opened so far. They close in the opposite order. */
export class Opened {
  readonly #parts: { close(): Promise<void> }[] = [];

  add<Part extends { close(): Promise<void> }>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  /** Closes every part, even if one fails, and then throws the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const part of this.#parts.splice(0).reverse())
      await part.close().catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
