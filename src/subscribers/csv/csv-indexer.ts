import { CsvReader, type CsvRecord } from '#lib/records/csv/csv-reader.ts';
import { RecordsRefused } from '#lib/records/records-refused.ts';
import { type Slice, SliceCutter } from '#lib/records/slice.ts';
import { CsvRefused } from './csv-refused.ts';

export interface CsvIndex {
  readonly separator: string;
  readonly headers: readonly string[];
  readonly rows: number;
  /** Slices of the text as UTF-8. */
  readonly slices: readonly Slice[];
}

export interface CsvLimits {
  readonly maxBytes: number;
  readonly maxRows: number;
}

/** A record is read on the server's main thread: one of 1 MiB takes about 20 ms, even if it consists of quotes or separators. */
export const RECORD_LIMITS = { maxColumns: 250, maxRecordChars: 1_048_576 };
const MAX_HEADER_CHARS = 200;
/**
 * 10,000 rows are merged in about 0.2 s: short enough that a killed worker loses little, long enough that the fixed cost of a slice
 * (about 20 ms) is small.
 */
const SLICE_LIMITS = { maxRows: 10_000, maxBytes: 4_000_000 };

/**
 * Reads a CSV to its end and keeps only the positions of its slices. Any slice can then be read alone, and an
 * unreadable file is rejected before the first row is imported. Blank lines at the end are not rows. Blank lines
 * between rows are, and fail because they have no email.
 */
export class CsvIndexer {
  readonly #maxRows: number;
  readonly #reader: CsvReader;
  readonly #cutter: SliceCutter;
  #headers: string[] | undefined;
  /** Bytes of UTF-8 before the next record. */
  #offset = 0;
  /** Blank records since the last row, and the position of the first one. */
  #blanks: { count: number; readonly start: number; readonly line: number } | undefined;

  constructor({ maxRows }: Pick<CsvLimits, 'maxRows'>, sliceRows = SLICE_LIMITS.maxRows) {
    this.#maxRows = maxRows;
    this.#cutter = new SliceCutter({ ...SLICE_LIMITS, maxRows: sliceRows });
    this.#reader = new CsvReader(
      { ...RECORD_LIMITS, readsSeparatorLine: false },
      (record, line, text, from) => this.#add(record, line, Buffer.byteLength(text.slice(from, record.end))),
    );
  }

  /** Returns the decoded text of the chunk. */
  push(chunk: Uint8Array): string {
    return refused(() => this.#reader.push(chunk));
  }

  /** Returns the rest of the decoded text. */
  end(): string {
    return refused(() => this.#reader.end());
  }

  /** Must be called after `end`. */
  index(): CsvIndex {
    if (this.#headers === undefined) throw new CsvRefused('invalid_csv', 'The CSV is empty.');
    this.#cutter.cut();
    const { rows } = this.#cutter;
    if (rows === 0) throw new CsvRefused('invalid_csv', 'The CSV has headers but no rows.');
    const separator = this.#reader.separator ?? ',';
    return { separator, headers: this.#headers, rows, slices: this.#cutter.take() };
  }

  #add({ cells, blank }: CsvRecord, line: number, bytes: number): void {
    const start = this.#offset;
    this.#offset += bytes;
    if (this.#headers === undefined) {
      this.#headers = checkHeaders(cells, blank);
    } else if (blank) {
      this.#blanks ??= { count: 0, start, line };
      this.#blanks.count += 1;
    } else {
      const first = this.#blanks ?? { count: 0, start, line };
      this.#blanks = undefined;
      this.#cutter.add(first.start, this.#offset, first.line, false, first.count + 1);
      if (this.#cutter.rows > this.#maxRows)
        throw new CsvRefused('csv_too_large', `There are more than ${this.#maxRows} rows.`);
    }
  }
}

function refused(step: () => string): string {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof RecordsRefused)) throw error;
    const { reason, line, message } = error;
    throw new CsvRefused(
      reason === 'record-too-large' ? 'csv_too_large' : 'invalid_csv',
      line === undefined ? message : `Line ${line}: ${message}`,
    );
  }
}

function checkHeaders(cells: readonly string[], blank: boolean): string[] {
  if (blank) throw new CsvRefused('invalid_csv', 'Line 1 is blank; it must contain the column names.');
  const seen = new Set<string>();
  for (const [i, header] of cells.entries()) {
    if (header.length > MAX_HEADER_CHARS)
      throw new CsvRefused(
        'invalid_csv',
        `The name of column ${i + 1} has more than ${MAX_HEADER_CHARS} characters.`,
      );
    if (header.trim() !== '' && seen.has(header))
      throw new CsvRefused('invalid_csv', `Column ${i + 1} has the same name as an earlier column.`);
    seen.add(header);
  }
  return [...cells];
}
