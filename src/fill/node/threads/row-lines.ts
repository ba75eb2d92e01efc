import { linesOf } from '#lib/records/lines.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { parseRow } from '#lib/rows/parse-row.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';

const decoder = new TextDecoder();

/** Begins the line with the numbers of a group's rows. */
const BRACKET = 0x5b;

/**
 * Decodes documents from their normal form: a row per line (lib/rows/rows-digest.ts), or a group as a line with the numbers of its rows and a
 * line for each of them (lib/rows/group-lines.ts).
 */
export function* splitRowLines(bytes: Uint8Array): Generator<RowCells> {
  let row = 0;
  let numbers: readonly number[] = [];
  let group: RowCells[] = [];
  for (const line of linesOf(bytes)) {
    if (line[0] === BRACKET) {
      numbers = JSON.parse(decoder.decode(line)) as number[];
      group = [];
      continue;
    }
    row += 1;
    // The limits were checked when the rows arrived.
    const cells = parseRow(decoder.decode(line), row, Number.MAX_SAFE_INTEGER, 'error');
    if (numbers.length === 0) {
      yield cells;
      continue;
    }
    group.push(cells);
    if (group.length === numbers.length)
      yield new GroupCells(group.map((own, index) => ({ number: numbers[index] ?? 0, cells: own })));
  }
}
