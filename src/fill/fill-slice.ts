import type { FilledRow, RowFiller } from './fill-row.ts';
import type { RowCells } from './rows/row-cells.ts';

/**
 * A stretch of rows, the unit that threads and servers hand around: the tails one after another, and a record for
 * every row in order. Records are JSON.
 */
export interface FilledSlice {
  readonly firstRow: number;
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

export type RowRecord = Omit<FilledRow, 'tail'>;

export function fillSlice(filler: RowFiller, firstRow: number, rows: Iterable<RowCells>): FilledSlice {
  const records: RowRecord[] = [];
  const tails: Uint8Array[] = [];
  let length = 0;
  let rowNumber = firstRow;
  for (const cells of rows) {
    const { tail, result, zip } = filler.fill(rowNumber, cells);
    records.push({ result, zip });
    if (tail !== null) {
      tails.push(tail);
      length += tail.length;
    }
    rowNumber += 1;
  }
  const joined = new Uint8Array(length);
  let at = 0;
  for (const tail of tails) {
    joined.set(tail, at);
    at += tail.length;
  }
  return { firstRow, tails: joined, records };
}
