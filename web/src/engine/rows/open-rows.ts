import type { RowCells } from '#fill/values/row-cells.ts';
import { DEFAULT_ROW_LIMITS } from '#lib/rows/read-rows.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';
import { type ColumnOrder, inOrder } from '../../core/columns/column-order.ts';
import type { CellPatch } from '../../core/rows/cell-patches.ts';
import type { RowsInfo, RowsReading } from '../../project/project.ts';
import type { EngineRefusal } from '../engine-client.ts';
import { columnFindings } from './column-findings.ts';
import { encodingEvidence } from './encoding-evidence.ts';
import { patchLines } from './patched-lines.ts';
import { type ReadRowsFile, readCsvFile } from './read-csv-file.ts';
import { type Lines, rowCells } from './row-store.ts';

/** A rows file that has been read: its facts, and access to its rows in the order of the project's columns. */
export class OpenRows {
  readonly info: RowsInfo;
  readonly #store: Lines;
  /** Rows of the file before row 1. */
  readonly #skipped: number;
  readonly #order: ColumnOrder | null;

  constructor(
    store: Lines,
    info: Omit<RowsInfo, 'rowCount' | 'columnCount' | 'header' | 'decimalSigns' | 'columnFacts' | 'sentAs'>,
    { header, columns }: Pick<RowsReading, 'header' | 'columns'>,
  ) {
    this.#store = store;
    this.#skipped = header ? 1 : 0;
    this.#order = columns ?? null;
    this.info = {
      ...info,
      sentAs: store.hasErrors ? 'xlsx' : 'csv',
      rowCount: store.rowCount - this.#skipped,
      columnCount: this.#order?.length ?? store.columnCount,
      header: header ? this.cells(0) : null,
      ...columnFindings(store, this.#skipped, this.#order),
    };
  }

  /** `row` counts from 1. */
  cells(row: number): string[] {
    const cells = this.#store.cells(row - 1 + this.#skipped);
    return this.#order === null ? cells : inOrder(cells, this.#order);
  }

  /** Columns of a row in which the workbook shows an error. */
  errors(row: number): readonly number[] {
    const found = this.#store.errors(row - 1 + this.#skipped);
    const order = this.#order;
    if (order === null || found.length === 0) return found;
    return order.flatMap((input, position) => (input !== null && found.includes(input) ? [position] : []));
  }

  /** A row in the form that the engine expects. */
  engineCells(row: number): RowCells {
    return rowCells(this.cells(row), this.errors(row));
  }

  /** All lines in the file's own column order, with corrections. The header is line 0 if the file has one. */
  get lines(): Lines {
    return this.#store;
  }
}

export type OpenedRows =
  | { readonly ok: true; readonly rows: OpenRows; readonly unfitting: readonly CellPatch[] }
  | EngineRefusal;

/** All lines of the file, including the header, in the file's own column order. */
export interface ReadFile extends ReadRowsFile {
  readonly kind: RowsInfo['kind'];
}

export async function openRows(
  file: Blob,
  fileName: string,
  reading: RowsReading,
  onProgress: (done: number, total: number) => void,
  maxColumns?: number,
): Promise<OpenedRows> {
  const read = await readFile(file, reading, onProgress, maxColumns);
  return read.ok ? rowsOf(read.read, fileName, reading) : read;
}

export async function readFile(
  file: Blob,
  reading: Pick<RowsReading, 'delimiter' | 'encoding' | 'cells'>,
  onProgress: (done: number, total: number) => void,
  maxColumns = DEFAULT_ROW_LIMITS.maxColumns,
): Promise<{ readonly ok: true; readonly read: ReadFile } | EngineRefusal> {
  let isWorkbook = false;
  try {
    const head = new Uint8Array(await file.slice(0, 4).arrayBuffer());
    isWorkbook = head[0] === 0x50 && head[1] === 0x4b;
    const read = isWorkbook
      ? await (await import('./read-workbook.ts')).readWorkbook(file, reading.cells ?? 'shown', maxColumns)
      : await readCsvFile(file, reading, onProgress, maxColumns);
    return { ok: true, read: { ...read, kind: isWorkbook ? 'xlsx' : 'csv' } };
  } catch (error) {
    if (!(error instanceof RowsRefused)) throw error;
    const { code, message } = error;
    const mayBeEncoding = code === 'INVALID_CSV' && !isWorkbook && reading.encoding === null;
    const encoding = mayBeEncoding ? await encodingEvidence(file) : null;
    return { ok: false, code, message, ...(encoding !== null && { encoding }) };
  }
}

export function rowsOf(
  { store, kind, delimiter, encoding }: ReadFile,
  fileName: string,
  reading: RowsReading,
): OpenedRows {
  if (reading.header && store.rowCount === 1) {
    return {
      ok: false,
      code: 'NO_ROWS',
      message: 'The file has one line only. If it is data, turn off “First row is a header”.',
    };
  }
  const { lines, unfitting } = patchLines(store, reading);
  const rows = new OpenRows(lines, { fileName, kind, delimiter, encoding }, reading);
  return { ok: true, rows, unfitting };
}
