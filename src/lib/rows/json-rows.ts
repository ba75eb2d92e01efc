import { JsonArraySplitter } from '../records/json-array.ts';
import { type BlankCells, type NullCell, parseRow } from './parse-row.ts';
import type { RowDecoder, RowLimits } from './read-rows.ts';
import type { RowCells } from './row-cells.ts';
import { RowsRefused, refusedAs } from './rows-refused.ts';

/** The array and the row object are the first two of 32 levels. */
const OPTIONS = { name: 'The rows JSON', maxDepth: 31, tooDeep: 'refuse' } as const;

/** Decodes a JSON array of row objects while its bytes arrive. */
export class JsonRows implements RowDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #maxColumns: number;
  readonly #nullCell: NullCell;
  readonly #blanks: BlankCells;
  #row = 0;
  #offset = 0;
  /** The unfinished element, as it arrived. Joined once, so that a huge element is not copied for every chunk. */
  #open: Uint8Array[] = [];
  /** Whether all chunks so far were ASCII. */
  #isAscii = true;
  /** Start and end of each element that ended in the current chunk. */
  #ended: number[] = [];
  readonly #splitter = new JsonArraySplitter(OPTIONS, (start, end) => this.#ended.push(start, end));

  constructor(
    limits: Pick<RowLimits, 'maxColumns'>,
    nullCell: NullCell = 'blank',
    blanks: BlankCells = 'dropped',
  ) {
    this.#maxColumns = limits.maxColumns;
    this.#nullCell = nullCell;
    this.#blanks = blanks;
  }

  push(chunk: Uint8Array): RowCells[] {
    return refusedAs('INVALID_ROWS_JSON', () => {
      this.#splitter.push(chunk);
      const rows = this.#rowsIn(chunk);
      const { openBytes } = this.#splitter;
      if (openBytes > 0) this.#open.push(openBytes < chunk.length ? chunk.subarray(-openBytes) : chunk);
      this.#offset += chunk.length;
      return rows;
    });
  }

  end(): RowCells[] {
    return refusedAs('INVALID_ROWS_JSON', () => {
      this.#splitter.end();
      return [];
    });
  }

  #rowsIn(chunk: Uint8Array): RowCells[] {
    const ended = this.#ended;
    const rows: RowCells[] = [];
    if (ended.length === 0) return rows;
    this.#ended = [];
    let next = 0;
    if ((ended[0] as number) < this.#offset) {
      const parts = [...this.#open, chunk.subarray(0, (ended[1] as number) - this.#offset)];
      this.#open = [];
      rows.push(this.#parse(this.#decode(joined(parts))));
      next = 2;
    }
    if (next === ended.length) return rows;
    const from = (ended[next] as number) - this.#offset;
    const bytes = chunk.subarray(from, (ended.at(-1) as number) - this.#offset);
    // One call decodes all elements of an ASCII chunk, because its offsets are those of the bytes.
    const text = this.#isAscii ? this.#decode(bytes) : '';
    this.#isAscii = text.length === bytes.length;
    for (; next < ended.length; next += 2) {
      const start = (ended[next] as number) - this.#offset - from;
      const end = (ended[next + 1] as number) - this.#offset - from;
      const element = this.#isAscii ? text.slice(start, end) : this.#decode(bytes.subarray(start, end));
      rows.push(this.#parse(element));
    }
    return rows;
  }

  #parse(text: string): RowCells {
    this.#row += 1;
    return parseRow(text, this.#row, this.#maxColumns, this.#nullCell, this.#blanks);
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw new RowsRefused('INVALID_ROWS_JSON', 'The rows JSON is not valid UTF-8.');
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
