/** An indirect object of ours, ready to be written: `body` is what stands between `n 0 obj` and `endobj`. */
export interface PdfObject {
  readonly num: number;
  readonly body: Uint8Array;
}

/** Hands out object numbers in ascending order; generation is always 0. */
export interface ObjectNumbers {
  next(): number;
}

export function objectNumbersFrom(first: number): ObjectNumbers & { readonly upcoming: number } {
  let upcoming = first;
  return {
    next: () => {
      upcoming += 1;
      return upcoming - 1;
    },
    get upcoming() {
      return upcoming;
    },
  };
}
