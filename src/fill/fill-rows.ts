import type { RowFiller, RowRecord } from './row-filler.ts';
import type { RowCells } from './values/row-cells.ts';
import { ByteSink } from './write/byte-sink.ts';

/** Consecutive filled rows: their tails one after another, and one record per row, in order. */
export interface FilledPiece {
  readonly firstRow: number;
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

/**
 * Size at which a piece is yielded. A thousand plain rows have 3 MB of tails; one row with photographs may have 20 MB.
 * With this limit, memory does not depend on the content of the rows.
 */
export const PIECE_BYTES = 4_000_000;

/**
 * Fills many rows and yields them in pieces. `scratch` is cleared and written; a caller that fills many slices passes
 * the same sink, which has already grown to their size. Another slice may use it between two pieces.
 */
export function* fillPieces(
  filler: RowFiller,
  firstRow: number,
  rows: Iterable<RowCells>,
  scratch = new ByteSink(),
  pieceBytes = PIECE_BYTES,
): Generator<FilledPiece> {
  let first = firstRow;
  let records: RowRecord[] = [];
  scratch.clear();
  for (const cells of rows) {
    records.push(filler.fillInto(scratch, first + records.length, cells));
    if (scratch.length < pieceBytes) continue;
    yield { firstRow: first, tails: scratch.copy(), records };
    first += records.length;
    records = [];
    scratch.clear();
  }
  if (records.length > 0) yield { firstRow: first, tails: scratch.copy(), records };
}
