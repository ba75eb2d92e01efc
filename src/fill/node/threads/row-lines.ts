import { parseRow } from '#lib/rows/parse-row.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';

const LINE_END = 10;
const decoder = new TextDecoder();

/** Decodes rows from normalised lines (lib/rows/rows-digest.ts writes them). */
export function* splitRowLines(bytes: Uint8Array): Generator<RowCells> {
  let start = 0;
  let row = 0;
  for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
    row += 1;
    // The limits were checked when the rows arrived.
    yield parseRow(decoder.decode(bytes.subarray(start, end)), row, Number.MAX_SAFE_INTEGER, 'error');
    start = end + 1;
  }
}
