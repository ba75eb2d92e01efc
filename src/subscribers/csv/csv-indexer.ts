import { detectSeparator } from '#lib/records/csv/detect-separator.ts';
import { splitRecord } from '#lib/records/csv/split-record.ts';
import { CsvRefused } from './csv-refused.ts';

/** A run of rows, by its place in the stored text. */
export interface CsvSlice {
  readonly start: number;
  readonly end: number;
  /** Number of the first row, from 0, and the line it begins on; line 1 holds the headers. */
  readonly row: number;
  readonly line: number;
  readonly rows: number;
}

export interface CsvIndex {
  readonly separator: string;
  readonly headers: readonly string[];
  readonly rows: number;
  readonly slices: readonly CsvSlice[];
}

export interface CsvLimits {
  readonly maxBytes: number;
  readonly maxRows: number;
}

const MAX_COLUMNS = 250;
const MAX_HEADER_CHARS = 200;
/** The separator is judged when this much text is there, or the whole file. */
const SAMPLE_CHARS = 65_536;
/**
 * A slice ends when it has so many rows or bytes. 10,000 rows are merged in about 0.2 s: short enough that a
 * killed worker costs little, long enough that a slice's fixed cost (about 20 ms) does not count.
 */
const SLICE_ROWS = 10_000;
const SLICE_BYTES = 4_000_000;

/**
 * Reads a CSV once, to its end, keeping nothing but where slices of rows begin: after it, any slice can be
 * read alone, and a file that cannot be read has been refused before a single row was imported. Blank lines
 * at the end are no rows; blank lines between rows are (and fail, having no email).
 */
export class CsvIndexer {
  readonly #limits: CsvLimits;
  readonly #sliceRows: number;
  #separator: string | null = null;
  #headers: string[] | undefined;
  #text = '';
  #line = 1;
  #rows = 0;
  #pendingBlanks = 0;
  /** Bytes of the text before `#text`. */
  #offset = 0;
  #retryAt = 0;
  readonly #slices: CsvSlice[] = [];
  #open: { start: number; row: number; line: number } | undefined;
  /** Bytes up to the end of the last row that is not blank. */
  #end = 0;

  constructor(limits: CsvLimits, sliceRows = SLICE_ROWS) {
    this.#limits = limits;
    this.#sliceRows = sliceRows;
  }

  push(text: string): void {
    this.#text += text;
    if (this.#separator === null && this.#text.length < SAMPLE_CHARS) return;
    if (this.#text.length >= this.#retryAt) this.#take(false);
  }

  finish(): CsvIndex {
    this.#take(true);
    if (this.#headers === undefined) throw new CsvRefused('invalid_csv', 'The CSV is empty.');
    this.#close();
    if (this.#rows === 0) throw new CsvRefused('invalid_csv', 'The CSV has headers but no rows.');
    return {
      separator: this.#separator ?? ',',
      headers: this.#headers,
      rows: this.#rows,
      slices: this.#slices,
    };
  }

  #take(whole: boolean): void {
    this.#separator ??= detectSeparator(this.#text, whole);
    if (this.#separator === null) {
      this.#retryAt = this.#text.length * 2;
      return;
    }
    const text = this.#text;
    let at = 0;
    /** Up to here the bytes are counted in `#offset`. */
    let counted = 0;
    const offsetOf = (position: number) => {
      this.#offset += Buffer.byteLength(text.slice(counted, position));
      counted = position;
      return this.#offset;
    };
    while (at < text.length) {
      const record = splitRecord(text, at, this.#separator, whole);
      if (record.kind === 'incomplete') break;
      if (record.kind !== 'record') throw this.#unreadable(text.slice(at, record.at), record.kind);
      if (record.cells.length > MAX_COLUMNS)
        throw new CsvRefused('invalid_csv', `Line ${this.#line} has more than ${MAX_COLUMNS} columns.`);
      if (this.#headers === undefined) {
        this.#headers = checkHeaders(record.cells, record.blank);
      } else if (record.blank) {
        this.#open ??= { start: offsetOf(at), row: this.#rows, line: this.#line };
        this.#pendingBlanks += 1;
      } else {
        this.#open ??= { start: offsetOf(at), row: this.#rows, line: this.#line };
        this.#addRow(offsetOf(record.end));
      }
      this.#line += 1 + innerLines(record.cells);
      at = record.end;
    }
    offsetOf(at);
    this.#text = text.slice(at);
    // A huge quoted field is scanned again from its start; doubling keeps that linear in the whole.
    this.#retryAt = at === 0 ? this.#text.length * 2 : 0;
  }

  #addRow(end: number): void {
    this.#rows += 1 + this.#pendingBlanks;
    this.#pendingBlanks = 0;
    this.#end = end;
    if (this.#rows > this.#limits.maxRows)
      throw new CsvRefused('csv_too_large', `There are more than ${this.#limits.maxRows} rows.`);
    const { row, start } = this.#open ?? { row: 0, start: 0 };
    if (this.#rows - row >= this.#sliceRows || end - start >= SLICE_BYTES) this.#close();
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { start, row, line } = this.#open;
    // Only blank lines since: they end the file and are no rows.
    if (this.#rows > row) this.#slices.push({ start, end: this.#end, row, line, rows: this.#rows - row });
    this.#open = undefined;
  }

  #unreadable(before: string, kind: 'open-quote' | 'text-after-quote'): CsvRefused {
    const line = this.#line + innerLines([before]);
    return new CsvRefused(
      'invalid_csv',
      kind === 'open-quote'
        ? `A quote opened on line ${line} is never closed.`
        : `Line ${line} has text after a closing quote; a quote inside a quoted field is written twice.`,
    );
  }
}

function checkHeaders(cells: readonly string[], blank: boolean): string[] {
  if (blank) throw new CsvRefused('invalid_csv', 'Line 1 is blank; it must hold the column names.');
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

/** Line ends inside quoted cells; CRLF counts once. */
export function innerLines(cells: readonly string[]): number {
  let lines = 0;
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) lines += cell.match(/\r\n|\n|\r/g)?.length ?? 0;
  }
  return lines;
}
