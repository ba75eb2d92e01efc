import { compactRecords } from '#fill/archive-index.ts';
import { fillPieces } from '#fill/fill-rows.ts';
import type { RowFiller } from '#fill/row-filler.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import { ByteSink } from '#fill/write/byte-sink.ts';
import type { ArchivePiece } from './packed-rows.ts';

/** Fills slices on this thread, one after another, each in pieces of bounded size. */
export class SliceRunner {
  readonly #filler: RowFiller;
  readonly #scratch = new ByteSink();

  constructor(filler: RowFiller) {
    this.#filler = filler;
  }

  *run(firstRow: number, rows: Iterable<RowCells>): Generator<ArchivePiece> {
    for (const piece of fillPieces(this.#filler, firstRow, rows, this.#scratch))
      yield { firstRow: piece.firstRow, tails: piece.tails, ...compactRecords(piece.records) };
  }
}
