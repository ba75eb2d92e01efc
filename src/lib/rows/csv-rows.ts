import { CsvTextDecoder } from '../records/csv/decode-text.ts';
import { detectSeparator } from '../records/csv/detect-separator.ts';
import { splitRecord } from '../records/csv/split-record.ts';
import type { RowDecoder, RowLimits } from './read-rows.ts';
import type { Cell, RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

export interface CsvOptions {
  /** Line 1 holds names, not data. Nothing is guessed: the default is that row 1 is data. */
  readonly header: boolean;
  /** Given by a person who looked at the file; otherwise found out (detect-separator.ts). */
  readonly separator?: string | undefined;
  /** A label of the Encoding Standard, given by a person; otherwise told by the byte order mark (decode-text.ts). */
  readonly encoding?: string | undefined;
  /** What a refusal writes before the likely encoding, where the caller has such a setting: `csv_encoding=`. */
  readonly encodingSetting?: string | undefined;
  readonly limits: Pick<RowLimits, 'maxRows' | 'maxColumns'>;
}

/** With or without quotes; a letter or a digit is not a separator, so such a line is a row. */
const SEPARATOR_LINE = /^(?:sep=([^\p{L}\p{N}"\r\n])|"sep=([^\p{L}\p{N}"\r\n])")(?:\r\n|\n|\r|$)/iu;

/** The separator is judged when this much text is there, or the whole file. */
const SAMPLE_CHARS = 65_536;

/**
 * CSV bytes to rows, positionally: the first field is `column_0`. Missing fields are blank. Blank lines at the end are dropped,
 * blank lines between rows are rows (so that row numbers keep matching the file).
 */
export class CsvRows implements RowDecoder {
  readonly #decoder: CsvTextDecoder;
  readonly #limits: CsvOptions['limits'];
  #separator: string | null = null;
  #text = '';
  #line = 1;
  #begun = false;
  #skipRecord: boolean;
  /** Blank records seen since the last row: rows if another row follows, nothing if not. */
  #pendingBlanks = 0;
  /** Length of `#text` at the last attempt that ended inside a record; the next one waits until it has doubled. */
  #retryAt = 0;

  constructor(options: CsvOptions) {
    this.#decoder = new CsvTextDecoder(options.encoding, options.encodingSetting);
    this.#separator = options.separator ?? null;
    this.#limits = options.limits;
    this.#skipRecord = options.header;
  }

  /** As given or found out; null until enough has been read. */
  get separator(): string | null {
    return this.#separator;
  }

  get encoding(): string | null {
    return this.#decoder.encoding;
  }

  push(chunk: Uint8Array): RowCells[] {
    this.#text += this.#decoder.push(chunk);
    if ((this.#separator === null || !this.#begun) && this.#text.length < SAMPLE_CHARS) return [];
    return this.#text.length < this.#retryAt ? [] : this.#take(false);
  }

  end(): RowCells[] {
    this.#text += this.#decoder.end();
    return this.#take(true);
  }

  #take(whole: boolean): RowCells[] {
    this.#takeSeparatorLine();
    this.#separator ??= detectSeparator(this.#text, whole);
    if (this.#separator === null) {
      this.#retryAt = this.#text.length * 2;
      return [];
    }
    const rows: RowCells[] = [];
    let at = 0;
    while (at < this.#text.length) {
      const record = splitRecord(this.#text, at, this.#separator, whole);
      if (record.kind === 'incomplete') break;
      if (record.kind !== 'record') this.#refuse(at, record.at, record.kind);
      this.#line += countLines(this.#text, at, record.end);
      at = record.end;
      if (this.#skipRecord) {
        this.#skipRecord = false;
      } else if (record.blank) {
        this.#pendingBlanks += 1;
      } else {
        this.#releaseBlanks(rows);
        rows.push(this.#cells(record.cells));
      }
    }
    this.#text = this.#text.slice(at);
    // A huge quoted field is scanned again from its start; doubling keeps that linear in the whole.
    this.#retryAt = at === 0 ? this.#text.length * 2 : 0;
    return rows;
  }

  /** `sep=;` in the first line is a note to the spreadsheet and not a row. A person's own choice of separator goes before it. */
  #takeSeparatorLine(): void {
    if (this.#begun) return;
    this.#begun = true;
    const named = SEPARATOR_LINE.exec(this.#text);
    if (named === null) return;
    this.#separator ??= named[1] ?? named[2] ?? null;
    this.#text = this.#text.slice(named[0].length);
    this.#line += 1;
  }

  /** Judged before they are made: a file of 64 million line ends must not become as many rows. */
  #releaseBlanks(rows: RowCells[]): void {
    if (this.#pendingBlanks > this.#limits.maxRows) {
      throw new RowsRefused('TOO_MANY_ROWS', `There are more than ${this.#limits.maxRows} rows.`);
    }
    for (; this.#pendingBlanks > 0; this.#pendingBlanks -= 1) rows.push(BLANK_ROW);
  }

  #cells(values: readonly string[]): RowCells {
    if (values.length > this.#limits.maxColumns) {
      throw new RowsRefused(
        'TOO_MANY_COLUMNS',
        `The record before line ${this.#line} has ${values.length} columns; at most ${this.#limits.maxColumns} are allowed.`,
      );
    }
    const cells = new Map<string, Cell>();
    for (const [index, value] of values.entries()) {
      if (value !== '') cells.set(columnKey(index), value);
    }
    return cells;
  }

  #refuse(from: number, at: number, kind: 'open-quote' | 'text-after-quote'): never {
    const line = this.#line + countLines(this.#text, from, at);
    throw new RowsRefused(
      'INVALID_CSV',
      kind === 'open-quote'
        ? `A quote opened on line ${line} is never closed.`
        : `Line ${line} has text after a closing quote; a quote inside a quoted field is written twice.`,
    );
  }
}

const BLANK_ROW: RowCells = new Map();
const KEYS = Array.from({ length: 256 }, (_, index) => `column_${index}`);
const columnKey = (index: number) => KEYS[index] ?? `column_${index}`;

/** Line ends in text[from, to): CRLF counts once. */
function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1;
  }
  return lines;
}
