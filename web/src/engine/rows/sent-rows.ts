import { withFileRow } from '../../core/runs/file-row-cell.ts';
import type { RowRanges } from '../../core/runs/row-ranges.ts';
import type { OpenRows } from './open-rows.ts';

/** A row as a run sends it. */
export interface SentRow {
  readonly cells: readonly string[];
  /** Columns whose cells hold a workbook error. */
  readonly errors: readonly number[];
}

/** The chosen rows in the order of the file, optionally with their number in the file after the last column. */
export function* sentRows(
  rows: Pick<OpenRows, 'info' | 'cells' | 'errors'>,
  ranges: RowRanges,
  numbered: boolean,
): Generator<SentRow> {
  const { rowCount, columnCount } = rows.info;
  for (const [from, to] of ranges) {
    for (let row = Math.max(from, 1); row <= Math.min(to, rowCount); row += 1) {
      const cells = rows.cells(row);
      const errors = rows.errors(row);
      yield { cells: numbered ? withFileRow(cells, columnCount, row) : cells, errors };
    }
  }
}
