import { linesOf } from '#lib/records/lines.ts';
import { parseRow } from '#lib/rows/parse-row.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';

const decoder = new TextDecoder();

/** Decodes rows from their normal form, one per line (lib/rows/rows-digest.ts). */
export function* splitRowLines(bytes: Uint8Array): Generator<RowCells> {
  let row = 0;
  for (const line of linesOf(bytes)) {
    row += 1;
    // The limits were checked when the rows arrived.
    yield parseRow(decoder.decode(line), row, Number.MAX_SAFE_INTEGER, 'error');
  }
}
