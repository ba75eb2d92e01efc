import { RecordsRefused } from '../records-refused.ts';
import { type CsvEncoding, CsvTextDecoder } from './decode-text.ts';
import { detectSeparator } from './detect-separator.ts';
import { innerLines, lineEnds, type SplitRecord, splitRecord } from './split-record.ts';

export interface CsvReaderOptions extends CsvEncoding {
  /** Chosen by a person. Without it the reader detects the separator (detect-separator.ts). */
  readonly separator?: string | undefined;
  /** Whether a first line `sep=;` sets the separator instead of being a record. */
  readonly readsSeparatorLine: boolean;
  readonly maxColumns: number;
  /**
   * Maximum length of a record. It bounds what the reader holds and how long one chunk takes: without it, a cell of 50 MB of quotes
   * blocks the thread for seconds. Readers in a thread with a deadline need none.
   */
  readonly maxRecordChars?: number;
}

export type CsvRecord = Extract<SplitRecord, { kind: 'record' }>;

/** Receives each record with its line, from 1. The record is `text.slice(from, record.end)`. */
export type CsvRecordFound = (record: CsvRecord, line: number, text: string, from: number) => void;

/** With or without quotes. A letter or a digit is not a separator, so a line with one is a record. */
const SEPARATOR_LINE = /^(?:sep=([^\p{L}\p{N}"\r\n])|"sep=([^\p{L}\p{N}"\r\n])")(?:\r\n|\n|\r|$)/iu;

/** The separator is detected once this much text is available, or the whole file. */
const SAMPLE_CHARS = 65_536;

/** Finds the records of a CSV while its bytes arrive. Holds the text of one unfinished record. */
export class CsvReader {
  readonly #options: CsvReaderOptions;
  readonly #found: CsvRecordFound;
  readonly #decoder: CsvTextDecoder;
  #separator: string | null;
  #text = '';
  #line = 1;
  #begun = false;
  /** Length of `#text` at which the next attempt to find a record starts. */
  #retryAt = 0;

  constructor(options: CsvReaderOptions, found: CsvRecordFound) {
    this.#options = options;
    this.#found = found;
    this.#decoder = new CsvTextDecoder(options);
    this.#separator = options.separator ?? null;
  }

  /** Null until it is detected. */
  get separator(): string | null {
    return this.#separator;
  }

  get encoding(): string | null {
    return this.#decoder.encoding;
  }

  /** Returns the decoded text of the chunk. */
  push(chunk: Uint8Array): string {
    const text = this.#decoder.push(chunk, this.#lineAfter);
    this.#text += text;
    const isSampled = (this.#separator !== null && this.#begun) || this.#text.length >= SAMPLE_CHARS;
    if (isSampled && this.#text.length >= this.#retryAt) this.#read(false);
    return text;
  }

  end(): string {
    const text = this.#decoder.end(this.#lineAfter);
    this.#text += text;
    this.#read(true);
    return text;
  }

  readonly #lineAfter = (text: string): number => this.#line + lineEnds(this.#text + text);

  #read(whole: boolean): void {
    this.#readSeparatorLine();
    const { maxColumns, maxRecordChars = Number.POSITIVE_INFINITY } = this.#options;
    // A record of this length is refused below, so the sample is long enough even if it ends inside a record.
    this.#separator ??= detectSeparator(this.#text, whole || this.#text.length > maxRecordChars);
    if (this.#separator === null) {
      this.#wait(maxRecordChars);
      return;
    }
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const record = splitRecord(text, at, this.#separator, whole, maxColumns);
      if (record.kind === 'incomplete') {
        if (text.length - at > maxRecordChars) throw this.#tooLarge();
        break;
      }
      if (record.kind !== 'record') throw this.#refusal(record, text, at);
      if (record.end - at > maxRecordChars) throw this.#tooLarge();
      this.#found(record, this.#line, text, at);
      this.#line += 1 + innerLines(record.cells);
      at = record.end;
    }
    this.#text = text.slice(at);
    this.#retryAt = 0;
    if (at === 0) this.#wait(maxRecordChars);
  }

  /** A long quoted field is scanned again from its start. Doubling keeps the total linear. */
  #wait(maxRecordChars: number): void {
    this.#retryAt = Math.min(this.#text.length * 2, maxRecordChars + 1);
  }

  /** A first line `sep=;` is a note for the spreadsheet. A separator that a person chose takes precedence. */
  #readSeparatorLine(): void {
    if (this.#begun) return;
    this.#begun = true;
    const named = this.#options.readsSeparatorLine ? SEPARATOR_LINE.exec(this.#text) : null;
    if (named === null) return;
    this.#separator ??= named[1] ?? named[2] ?? null;
    this.#text = this.#text.slice(named[0].length);
    this.#line += 1;
  }

  #tooLarge(): RecordsRefused {
    return new RecordsRefused(
      'record-too-large',
      `The record on line ${this.#line} has more than ${this.#options.maxRecordChars} characters.`,
    );
  }

  #refusal(fault: Fault, text: string, from: number): RecordsRefused {
    if (fault.kind === 'too-many-cells')
      return new RecordsRefused(
        'too-many-columns',
        `Line ${this.#line} has more than ${this.#options.maxColumns} columns.`,
      );
    const line = this.#line + lineEnds(text.slice(from, fault.at));
    return new RecordsRefused(
      'format',
      fault.kind === 'open-quote'
        ? `A quote opened on line ${line} is never closed.`
        : `Line ${line} has text after a closing quote; a quote inside a quoted field is written twice.`,
    );
  }
}

type Fault = Exclude<SplitRecord, { kind: 'record' | 'incomplete' }>;
