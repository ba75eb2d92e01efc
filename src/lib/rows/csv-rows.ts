import { CsvReader, type CsvReaderOptions, type CsvRecord } from '../records/csv/csv-reader.ts';
import type { RowDecoder, RowLimits } from './read-rows.ts';
import type { Cell, RowCells } from './row-cells.ts';
import { RowsRefused, refusedAs } from './rows-refused.ts';

export interface CsvOptions extends Pick<CsvReaderOptions, 'separator' | 'encoding' | 'encodingSetting'> {
  /** Whether the first record contains names, not data. It is never detected. */
  readonly header: boolean;
  readonly limits: Pick<RowLimits, 'maxRows' | 'maxColumns'>;
}

/**
 * Decodes a CSV into rows by position: the first field is `column_0`. Missing fields are blank. Blank lines at the end are dropped; blank
 * lines between rows are rows, so that row numbers match the file.
 */
export class CsvRows implements RowDecoder {
  readonly #reader: CsvReader;
  readonly #maxRows: number;
  #skipRecord: boolean;
  #header: readonly string[] | undefined;
  /** Blank records since the last row. They are rows only if another row follows. */
  #pendingBlanks = 0;
  #rows: RowCells[] = [];

  constructor({ header, limits, ...options }: CsvOptions) {
    const { maxRows, maxColumns } = limits;
    this.#maxRows = maxRows;
    this.#skipRecord = header;
    this.#reader = new CsvReader({ ...options, readsSeparatorLine: true, maxColumns }, (record) =>
      this.#add(record),
    );
  }

  /** The cells of the record that was skipped as a header. */
  get header(): readonly string[] | undefined {
    return this.#header;
  }

  get separator(): string | null {
    return this.#reader.separator;
  }

  get encoding(): string | null {
    return this.#reader.encoding;
  }

  push(chunk: Uint8Array): RowCells[] {
    return this.#read(() => this.#reader.push(chunk));
  }

  end(): RowCells[] {
    return this.#read(() => this.#reader.end());
  }

  #read(step: () => string): RowCells[] {
    refusedAs('INVALID_CSV', step);
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #add({ blank, cells }: CsvRecord): void {
    if (this.#skipRecord) {
      this.#skipRecord = false;
      this.#header = cells;
    } else if (blank) {
      this.#pendingBlanks += 1;
    } else {
      this.#releaseBlanks();
      this.#rows.push(rowOf(cells));
    }
  }

  /** Checks the limit first: a file of 64 million line ends must not become as many rows. */
  #releaseBlanks(): void {
    if (this.#pendingBlanks > this.#maxRows)
      throw new RowsRefused('TOO_MANY_ROWS', `There are more than ${this.#maxRows} rows.`);
    for (; this.#pendingBlanks > 0; this.#pendingBlanks -= 1) this.#rows.push(BLANK_ROW);
  }
}

const BLANK_ROW: RowCells = new Map();
const KEYS = Array.from({ length: 256 }, (_, index) => `column_${index}`);
const columnKey = (index: number) => KEYS[index] ?? `column_${index}`;

function rowOf(values: readonly string[]): RowCells {
  const cells = new Map<string, Cell>();
  for (const [index, value] of values.entries()) {
    if (value !== '') cells.set(columnKey(index), value);
  }
  return cells;
}
