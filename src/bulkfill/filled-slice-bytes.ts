import type { FilledPiece } from '#fill/fill-rows.ts';
import type { RowRecord } from '#fill/row-filler.ts';

/**
 * The blob of a filled slice: the tails, then the records as JSON. The tails are streamed, because the tails of a
 * thousand rows with photographs do not fit into memory.
 */
export class FilledSliceBytes {
  readonly #pieces: AsyncIterable<Omit<FilledPiece, 'firstRow'>>;
  readonly #keepTails: boolean;
  readonly #maxBytes: number;
  readonly records: RowRecord[] = [];
  tailsLength = 0;

  /** Draws no further row once the tails exceed `maxBytes`. */
  constructor(
    pieces: AsyncIterable<Omit<FilledPiece, 'firstRow'>>,
    { keepTails, maxBytes }: { readonly keepTails: boolean; readonly maxBytes: number },
  ) {
    this.#pieces = pieces;
    this.#keepTails = keepTails;
    this.#maxBytes = maxBytes;
  }

  /** Must be read to the end before `records` and `tailsLength`. */
  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const { tails, records } of this.#pieces) {
      for (const record of records) this.records.push(record);
      if (!this.#keepTails || tails.length === 0) continue;
      this.tailsLength += tails.length;
      yield tails;
      if (this.tailsLength > this.#maxBytes) break;
    }
    yield Buffer.from(JSON.stringify(this.records));
  }
}
