import { JsonArraySplitter } from '../records/json-array.ts';
import { type NullCell, parseRow } from './parse-row.ts';
import type { RowDecoder, RowLimits } from './read-rows.ts';
import type { RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

/** A JSON array of row objects, byte chunk by byte chunk. */
export class JsonRows implements RowDecoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #splitter = new JsonArraySplitter();
  readonly #maxColumns: number;
  readonly #nullCell: NullCell;
  #row = 0;

  constructor(limits: Pick<RowLimits, 'maxColumns'>, nullCell: NullCell = 'blank') {
    this.#maxColumns = limits.maxColumns;
    this.#nullCell = nullCell;
  }

  push(chunk: Uint8Array): RowCells[] {
    return this.#rows(this.#decode(chunk, true));
  }

  end(): RowCells[] {
    const rows = this.#rows(this.#decode(new Uint8Array(0), false));
    this.#splitter.end();
    return rows;
  }

  #rows(text: string): RowCells[] {
    return this.#splitter.push(text).map((element) => {
      this.#row += 1;
      return parseRow(element, this.#row, this.#maxColumns, this.#nullCell);
    });
  }

  #decode(chunk: Uint8Array, more: boolean): string {
    try {
      return this.#decoder.decode(chunk, { stream: more });
    } catch {
      throw new RowsRefused('INVALID_ROWS_JSON', 'The rows JSON is not valid UTF-8.');
    }
  }
}
