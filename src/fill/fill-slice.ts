import type { RowFiller, RowRecord } from './fill-row.ts';
import type { RowCells } from './rows/row-cells.ts';
import { ByteSink } from './write/byte-sink.ts';

/** Rows that follow each other, filled: the tails one after another, and a record for every row in order. */
export interface FilledSlice {
  readonly firstRow: number;
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

/**
 * A thousand plain rows have 3 MB of tails, a single row with photographs may have 20 MB. Rows are handed on in pieces
 * of about this size, so that memory depends on it and not on what the rows hold.
 */
export const PIECE_BYTES = 4_000_000;

/**
 * Fills a stretch of rows piece by piece. `scratch` is cleared and written; a caller that fills many stretches passes
 * the same one, which has grown to their size. Another stretch may use it between two pieces.
 */
export function* fillPieces(
  filler: RowFiller,
  firstRow: number,
  rows: Iterable<RowCells>,
  scratch = new ByteSink(),
  pieceBytes = PIECE_BYTES,
): Generator<FilledSlice> {
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
