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

  /** The number of a shared object that is already in the file. A row's own PDF shares nothing with other rows. */
  written(_digest: string): number | undefined {
    return undefined;
  }

  /** Records that the caller writes the shared object under this number. */
  note(_digest: string, _num: number): void {}
}

/** The object numbers of a PDF with many rows. A picture that several rows show is written once. */
export class SharedObjectNumbers extends ObjectNumbers {
  readonly #written = new Map<string, number>();
  readonly #noted = new Map<string, number>();

  override written(digest: string): number | undefined {
    return this.#written.get(digest) ?? this.#noted.get(digest);
  }

  override note(digest: string, num: number): void {
    this.#noted.set(digest, num);
  }

  /** The row's objects are in the file. */
  keepNoted(): void {
    for (const [digest, num] of this.#noted) this.#written.set(digest, num);
    this.#noted.clear();
  }

  /** The row failed: none of its objects is in the file. */
  dropNoted(): void {
    this.#noted.clear();
  }
}
