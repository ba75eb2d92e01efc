/** An indirect object of ours, ready to be written: `body` is what stands between `n 0 obj` and `endobj`. */
export interface PdfObject {
  readonly num: number;
  readonly body: Uint8Array;
}

/** Hands out object numbers in ascending order; generation is always 0. */
export class ObjectNumbers {
  #upcoming: number;

  constructor(first: number) {
    this.#upcoming = first;
  }

  next(): number {
    this.#upcoming += 1;
    return this.#upcoming - 1;
  }

  get upcoming(): number {
    return this.#upcoming;
  }
}
