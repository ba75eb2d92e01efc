import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import type { CellValues } from '#lib/xlsx/cell-values.ts';
import { readFirstSheet } from '#lib/xlsx/read-first-sheet.ts';
import { WorkbookUnreadable } from '#lib/xlsx/workbook-unreadable.ts';
import type { ReadRowsFile } from './read-csv-file.ts';
import { RowStore } from './row-store.ts';

/** Reads the first visible sheet of an XLSX workbook (ECMA-376) with the server's reader, so that both get the same rows. */
export async function readWorkbook(
  file: Blob,
  values: CellValues,
  maxColumns: number,
): Promise<ReadRowsFile> {
  const { maxRows } = DEFAULT_ROW_LIMITS;
  const store = new RowStore();
  try {
    readFirstSheet(new Uint8Array(await file.arrayBuffer()), values, (cells) => {
      // One more than the rows of a job: the first may be a header.
      if (store.rowCount > maxRows)
        throw new RowsRefused('TOO_MANY_ROWS', `There are more than ${maxRows} rows.`);
      if (cells.length > maxColumns)
        throw new RowsRefused(
          'TOO_MANY_COLUMNS',
          `There are ${cells.length} columns; at most ${maxColumns} are allowed.`,
        );
      store.add(cells);
    });
  } catch (error) {
    if (!(error instanceof WorkbookUnreadable)) throw error;
    throw new RowsRefused(
      'INVALID_CSV',
      'This is not a workbook that can be read. Save it as .xlsx or as CSV and try again.',
    );
  }
  if (store.rowCount === 0) throw new RowsRefused('NO_ROWS', 'The first sheet of the workbook is empty.');
  store.seal();
  return { store, delimiter: null, encoding: null };
}
