import type { RowCells } from '#fill/values/row-cells.ts';

/**
 * Stores many rows compactly: the cells of a block are one string, with an array of their end offsets. Two million short
 * cells take about 30 MB this way; as strings in arrays they take more than 200.
 */
const BLOCK_ROWS = 1_000;

interface Block {
  readonly text: string;
  /** The end of each cell in `text`, for all rows in sequence. */
  readonly ends: Uint32Array;
  /** The start of each row in `ends`, plus one past the last. */
  readonly starts: Uint32Array;
}

/** The lines of a rows file, including its header, in the file's own column order; `index` counts from 0. */
export interface Lines {
  readonly rowCount: number;
  readonly columnCount: number;
  /** Whether any cell shows a workbook error. */
  readonly hasErrors: boolean;
  /** The file as it was read. */
  readonly base: RowStore;
  /** Columns of the file with a corrected cell. */
  readonly correctedColumns: ReadonlySet<number>;
  cells(index: number): string[];
  /** One cell; blank if the row does not have it. */
  cell(index: number, column: number): string;
  errors(index: number): readonly number[];
}

export class RowStore implements Lines {
  readonly correctedColumns: ReadonlySet<number> = new Set();
  readonly #blocks: Block[] = [];
  #texts: string[] = [];
  #ends: number[] = [];
  #starts: number[] = [0];
  #length = 0;
  #rows = 0;
  #columns = 0;
  /** Columns of the cells that hold an error, by row. Such cells are rare. */
  readonly #errors = new Map<number, number[]>();

  get rowCount(): number {
    return this.#rows;
  }

  get columnCount(): number {
    return this.#columns;
  }

  get base(): RowStore {
    return this;
  }

  /** Whether any cell of the rows holds a workbook error. */
  get hasErrors(): boolean {
    return this.#errors.size > 0;
  }

  /** Null is a cell with a workbook error; screens show it as blank. */
  add(cells: readonly (string | null)[]): void {
    const errors = cells.flatMap((cell, column) => (cell === null ? [column] : []));
    if (errors.length > 0) this.#errors.set(this.#rows, errors);
    for (const value of cells) {
      const cell = value ?? '';
      this.#texts.push(cell);
      this.#length += cell.length;
      this.#ends.push(this.#length);
    }
    this.#starts.push(this.#ends.length);
    this.#rows += 1;
    this.#columns = Math.max(this.#columns, cells.length);
    if (this.#starts.length > BLOCK_ROWS) this.seal();
  }

  /** Closes the current block. Must be called after the last row. */
  seal(): void {
    if (this.#starts.length === 1) return;
    this.#blocks.push({
      text: this.#texts.join(''),
      ends: Uint32Array.from(this.#ends),
      starts: Uint32Array.from(this.#starts),
    });
    this.#texts = [];
    this.#ends = [];
    this.#starts = [0];
    this.#length = 0;
  }

  /** The cells of a row, `index` from 0; missing cells at the end are omitted. */
  cells(index: number): string[] {
    const block = this.#blocks[Math.floor(index / BLOCK_ROWS)];
    const row = index % BLOCK_ROWS;
    if (block === undefined || row >= block.starts.length - 1)
      throw new Error(`bug: there is no row ${index}`);
    const cells: string[] = [];
    const end = block.starts[row + 1] ?? 0;
    for (let at = block.starts[row] ?? 0; at < end; at += 1) {
      cells.push(block.text.slice(at === 0 ? 0 : block.ends[at - 1], block.ends[at]));
    }
    return cells;
  }

  cell(index: number, column: number): string {
    const block = this.#blocks[Math.floor(index / BLOCK_ROWS)];
    const row = index % BLOCK_ROWS;
    const at = (block?.starts[row] ?? 0) + column;
    if (block === undefined || at >= (block.starts[row + 1] ?? 0)) return '';
    return block.text.slice(at === 0 ? 0 : block.ends[at - 1], block.ends[at]);
  }

  /** Lines with a cell that holds an error. */
  errorLines(): readonly number[] {
    return [...this.#errors.keys()];
  }

  /** Columns of a row whose cells hold an error. */
  errors(index: number): readonly number[] {
    return this.#errors.get(index) ?? [];
  }
}

const KEYS = Array.from({ length: 256 }, (_, index) => `column_${index}`);
export const columnKey = (index: number): string => KEYS[index] ?? `column_${index}`;

/** Returns a row in the form that the engine expects: blank cells are absent, cells with an error are null. */
export function rowCells(cells: readonly string[], errors: readonly number[] = []): RowCells {
  const map = new Map<string, string | null>();
  for (const column of errors) map.set(columnKey(column), null);
  for (const [index, cell] of cells.entries()) if (cell !== '') map.set(columnKey(index), cell);
  return map;
}
