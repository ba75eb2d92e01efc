import type { RowFiller, RowRecord } from './fill-row.ts';
import type { RowCells } from './rows/row-cells.ts';
import { ByteSink } from './write/byte-sink.ts';

/**
 * A stretch of rows, the unit that threads and servers hand around: the tails one after another, and a record for
 * every row in order.
 */
export interface FilledSlice {
  readonly firstRow: number;
  readonly tails: Uint8Array;
  readonly records: readonly RowRecord[];
}

/** `scratch` is cleared and written; who fills many slices passes the same one, which has grown to their size. */
export function fillSlice(
  filler: RowFiller,
  firstRow: number,
  rows: Iterable<RowCells>,
  scratch = new ByteSink(),
): FilledSlice {
  scratch.clear();
  const records: RowRecord[] = [];
  for (const cells of rows) records.push(filler.fillInto(scratch, firstRow + records.length, cells));
  return { firstRow, tails: scratch.copy(), records };
}
