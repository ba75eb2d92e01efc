import type { Cell, RowCells } from './row-cells.ts';
import { RowsRefused } from './rows-refused.ts';

/** Rows of one group. More would not fit a document: it may draw 200,000 glyphs. */
export const MAX_GROUP_ROWS = 5000;

/**
 * Which rows belong together: rows with equal values in the group columns, wherever they are. Groups are in the order of their first
 * rows, and the rows of a group in the order of the input. It keeps one number per row and one key per group, never a row.
 */
export class GroupNumbers {
  readonly #columns: readonly string[];
  readonly #shortened: (key: string) => string;
  readonly #groups = new Map<string, number[]>();
  #rows = 0;

  /** `shortened` may replace a key by a shorter one that is as unique. */
  constructor(columns: readonly string[], shortened = (key: string) => key) {
    this.#columns = columns;
    this.#shortened = shortened;
  }

  /** Adds the next row. */
  add(cells: RowCells): void {
    this.#rows += 1;
    const number = this.#rows;
    const key = this.#shortened(JSON.stringify(this.#columns.map((column) => textOf(cells.get(column)))));
    const group = this.#groups.get(key);
    if (group === undefined) {
      this.#groups.set(key, [number]);
      return;
    }
    if (group.length === MAX_GROUP_ROWS)
      throw new RowsRefused(
        'GROUP_TOO_LARGE',
        `The group that begins with row ${group[0]} has more than ${MAX_GROUP_ROWS} rows (row ${number} is the next).`,
      );
    group.push(number);
  }

  /** Number of groups. */
  get count(): number {
    return this.#groups.size;
  }

  /** Number of rows. */
  get rows(): number {
    return this.#rows;
  }

  /** The numbers of each group's rows, from 1. */
  groups(): Iterable<readonly number[]> {
    return this.#groups.values();
  }
}

/** Values are compared as text without the white space around it. */
function textOf(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'string' ? cell.trim() : cell.json;
}
