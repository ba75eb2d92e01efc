import { compactRecords } from '../archive-index.ts';
import type { RowFiller } from '../fill-row.ts';
import { fillSlice } from '../fill-slice.ts';
import type { RowCells } from '../rows/row-cells.ts';
import { ByteSink } from '../write/byte-sink.ts';
import type { RunSlice } from './slice-wire.ts';

/** Fills slices one after another on one thread. */
export class SliceRunner {
  readonly #filler: RowFiller;
  readonly #scratch = new ByteSink();

  constructor(filler: RowFiller) {
    this.#filler = filler;
  }

  run(firstRow: number, rows: Iterable<RowCells>): RunSlice {
    const { tails, records } = fillSlice(this.#filler, firstRow, rows, this.#scratch);
    return { firstRow, tails, ...compactRecords(records) };
  }
}
