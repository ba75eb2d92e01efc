import { compactRecords } from '../archive-index.ts';
import { fillPieces } from '../fill-rows.ts';
import type { RowFiller } from '../row-filler.ts';
import type { RowCells } from '../values/row-cells.ts';
import { ByteSink } from '../write/byte-sink.ts';
import type { RunSlice } from './slice-wire.ts';

/** Fills slices one after another on one thread, each in pieces of bounded size. */
export class SliceRunner {
  readonly #filler: RowFiller;
  readonly #scratch = new ByteSink();

  constructor(filler: RowFiller) {
    this.#filler = filler;
  }

  *run(firstRow: number, rows: Iterable<RowCells>): Generator<RunSlice> {
    for (const piece of fillPieces(this.#filler, firstRow, rows, this.#scratch))
      yield { firstRow: piece.firstRow, tails: piece.tails, ...compactRecords(piece.records) };
  }
}
