/** An indirect object that is ready to be written: `body` is the text between `n 0 obj` and `endobj`. */
export interface PdfObject {
  readonly num: number;
  readonly body: Uint8Array;
}

/** Assigns object numbers in ascending order. The generation is always 0. */
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

  /** Records the number of a picture that was written last. */
  note(_digest: string, _num: number): void {}
}
