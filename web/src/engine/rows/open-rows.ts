import { DecimalSignFinder, type DecimalSigns } from '../../../../src/fill/rows/decimal-signs.ts';
import type { RowCells } from '../../../../src/fill/rows/row-cells.ts';
import { DEFAULT_ROW_LIMITS } from '../../../../src/lib/rows/read-rows.ts';
import { RowsRefused } from '../../../../src/lib/rows/rows-refused.ts';
import type { RowsInfo, RowsReading } from '../../editor/project.ts';
import type { EngineRefusal } from '../engine-client.ts';
import { readCsvFile } from './read-csv-file.ts';
import { columnKey, type RowStore, rowCells } from './row-store.ts';

/** A rows file that has been read: what is in it, and how to come by its rows. */
export class OpenRows {
  readonly info: RowsInfo;
  readonly #store: RowStore;
  /** Rows of the file before row 1. */
  readonly #skipped: number;

  constructor(
    store: RowStore,
    info: Omit<RowsInfo, 'rowCount' | 'columnCount' | 'header' | 'decimalSigns'>,
    header: boolean,
  ) {
    this.#store = store;
    this.#skipped = header ? 1 : 0;
    this.info = {
      ...info,
      rowCount: store.rowCount - this.#skipped,
      columnCount: store.columnCount,
      header: header ? store.cells(0) : null,
      decimalSigns: signsIn(store, this.#skipped),
    };
  }

  /** `row` counts from 1. */
  cells(row: number): string[] {
    return this.#store.cells(row - 1 + this.#skipped);
  }

  get hasErrors(): boolean {
    return this.#store.hasErrors;
  }

  /** Columns of a row in which the workbook shows an error. */
  errors(row: number): readonly number[] {
    return this.#store.errors(row - 1 + this.#skipped);
  }

  /** A row as the engine takes it. */
  engineCells(row: number): RowCells {
    return rowCells(this.cells(row), this.errors(row));
  }
}

/** As the server finds them when it reads the rows (src/bulkfill/rows/normalise-rows.ts). */
function signsIn(store: RowStore, skipped: number): DecimalSigns {
  const finder = new DecimalSignFinder();
  for (let row = skipped; row < store.rowCount; row += 1) {
    for (const [index, cell] of store.cells(row).entries()) finder.see(columnKey(index), cell);
  }
  return finder.signs();
}

export type OpenedRows = { readonly ok: true; readonly rows: OpenRows } | EngineRefusal;

export async function openRows(
  file: Blob,
  fileName: string,
  reading: RowsReading,
  onProgress: (done: number, total: number) => void,
  maxColumns = DEFAULT_ROW_LIMITS.maxColumns,
): Promise<OpenedRows> {
  try {
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    const isWorkbook = head[0] === 0x50 && head[1] === 0x4b;
    const read = isWorkbook
      ? await (await import('./read-workbook.ts')).readWorkbook(file, reading.cells ?? 'shown', maxColumns)
      : await readCsvFile(file, reading, onProgress, maxColumns);
    const { store, delimiter, encoding } = read;
    if (reading.header && store.rowCount === 1) {
      return {
        ok: false,
        code: 'NO_ROWS',
        message: 'The file has one line only. If it is data, turn off “First row is a header”.',
      };
    }
    const kind = isWorkbook ? 'xlsx' : 'csv';
    return { ok: true, rows: new OpenRows(store, { fileName, kind, delimiter, encoding }, reading.header) };
  } catch (error) {
    if (error instanceof RowsRefused) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
