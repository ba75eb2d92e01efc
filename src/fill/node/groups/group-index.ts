import { createHash } from 'node:crypto';
import { GroupNumbers } from '#lib/rows/group-numbers.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';

/** Longer keys are kept as their digest, so that memory does not depend on the values. */
const MAX_KEY_CHARS = 100;

/**
 * The groups of the rows in a file of rows (`lib/rows/group-numbers.ts`), and where each row is in the file. It keeps a few numbers
 * per row, never a row.
 */
export class GroupIndex {
  readonly #numbers: GroupNumbers;
  /** The end of each row in the file of rows. */
  readonly #ends: number[] = [];

  constructor(columns: readonly string[]) {
    this.#numbers = new GroupNumbers(columns, shortened);
  }

  /** Adds the next row, whose line in the file of rows has this many bytes. */
  add(cells: RowCells, lineBytes: number): void {
    this.#ends.push((this.#ends.at(-1) ?? 0) + lineBytes);
    this.#numbers.add(cells);
  }

  /** Number of groups. */
  get count(): number {
    return this.#numbers.count;
  }

  /** Number of rows. */
  get rows(): number {
    return this.#numbers.rows;
  }

  /** The numbers of each group's rows, from 1. */
  groups(): Iterable<readonly number[]> {
    return this.#numbers.groups();
  }

  /** The bytes of the rows from `first` to `last` in the file of rows. */
  rangeOf(first: number, last: number): { readonly start: number; readonly end: number } {
    return { start: first === 1 ? 0 : (this.#ends[first - 2] ?? 0), end: this.#ends[last - 1] ?? 0 };
  }
}

const shortened = (key: string): string =>
  key.length <= MAX_KEY_CHARS ? key : createHash('sha256').update(key).digest('base64');
