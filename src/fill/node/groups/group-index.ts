import { createHash } from 'node:crypto';
import type { Cell, RowCells } from '#lib/rows/row-cells.ts';
import { RowsRefused } from '#lib/rows/rows-refused.ts';

/** Rows of one group. More would not fit a document: it may draw 200,000 glyphs. */
export const MAX_GROUP_ROWS = 5000;
/** Longer keys are kept as their digest, so that memory does not depend on the values. */
const MAX_KEY_CHARS = 100;

/**
 * Which rows belong together: rows with equal values in the group columns, wherever they are. Groups are in the order of their first
 * rows, and the rows of a group in the order of the input. It keeps a few numbers per row, never a row.
 */
export class GroupIndex {
  readonly #columns: readonly string[];
  readonly #groups = new Map<string, number[]>();
  /** The end of each row in the file of rows. */
  readonly #ends: number[] = [];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  /** Adds the next row, whose line in the file of rows has this many bytes. */
  add(cells: RowCells, lineBytes: number): void {
    this.#ends.push((this.#ends.at(-1) ?? 0) + lineBytes);
    const number = this.#ends.length;
    const key = keyOf(this.#columns.map((column) => textOf(cells.get(column))));
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
    return this.#ends.length;
  }

  /** The numbers of each group's rows, from 1. */
  groups(): Iterable<readonly number[]> {
    return this.#groups.values();
  }

  /** The bytes of the rows from `first` to `last` in the file of rows. */
  rangeOf(first: number, last: number): { readonly start: number; readonly end: number } {
    return { start: first === 1 ? 0 : (this.#ends[first - 2] ?? 0), end: this.#ends[last - 1] ?? 0 };
  }
}

/** Values are compared as text without the white space around it. */
function textOf(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'string' ? cell.trim() : cell.json;
}

function keyOf(values: readonly string[]): string {
  const key = JSON.stringify(values);
  return key.length <= MAX_KEY_CHARS ? key : createHash('sha256').update(key).digest('base64');
}
