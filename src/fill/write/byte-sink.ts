/**
 * A growing byte buffer that is reused from row to row: after the first rows it allocates only the final copy. Texts must be
 * ASCII, like PDF syntax; everything else is written as bytes.
 */
export class ByteSink {
  #bytes: Uint8Array;
  length = 0;

  constructor(capacity = 8192) {
    this.#bytes = new Uint8Array(capacity);
  }

  clear(): void {
    this.length = 0;
  }

  ascii(text: string): void {
    const end = this.length + text.length;
    if (end > this.#bytes.length) this.#grow(end);
    const bytes = this.#bytes;
    for (let from = 0, to = this.length; to < end; from += 1, to += 1) bytes[to] = text.charCodeAt(from);
    this.length = end;
  }

  bytes(chunk: Uint8Array): void {
    const end = this.length + chunk.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(chunk, this.length);
    this.length = end;
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(this.length + 1);
    this.#bytes[this.length] = value;
    this.length += 1;
  }

  /** A view that is valid until the next write. */
  view(from = 0): Uint8Array {
    return this.#bytes.subarray(from, this.length);
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}
