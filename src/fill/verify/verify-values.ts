import { GroupCells, rowsOf } from '#lib/rows/group-cells.ts';
import type { VerifyOptions } from '../fill-options.ts';
import type { RowError } from '../results/row-outcome.ts';
import type { Cell, RowCells } from '../values/row-cells.ts';

/** The id of a document, given the canonical text of its cells. */
export type VerifyId = (cells: string) => string;

/** A document whose cells contain its address. */
export interface VerifiableDocument {
  readonly id: string;
  readonly cells: RowCells;
}

/** Supplies the values of the column that holds the address at which each document can be verified. */
export class VerifyValues {
  readonly #options: VerifyOptions;
  readonly #idOf: VerifyId;

  constructor(options: VerifyOptions, idOf: VerifyId) {
    this.#options = options;
    this.#idOf = idOf;
  }

  get column(): string {
    return this.#options.column;
  }

  /** The same cells with the address in the column, in every row of a group. Input in the column is an error. */
  supply(cells: RowCells): VerifiableDocument | { readonly error: RowError } {
    const { column, address } = this.#options;
    const taken = rowsOf(cells).find((row) => !isBlank(row.cells.get(column)));
    if (taken !== undefined) return { error: notBlank(column, taken.number) };
    const id = this.#idOf(canonicalCells(cells, column));
    const withAddress = (row: RowCells) => new Map(row).set(column, `${address}/v/${id}`);
    if (!(cells instanceof GroupCells)) return { id, cells: withAddress(cells) };
    const rows = cells.rows.map((row) => ({ number: row.number, cells: withAddress(row.cells) }));
    return { id, cells: new GroupCells(rows) };
  }
}

/** The cells of a document's rows as JSON, by column, without the row numbers: the same cells give the same text anywhere. */
function canonicalCells(cells: RowCells, without: string): string {
  const rows = rowsOf(cells).map((row) =>
    [...row.cells]
      .filter(([key, cell]) => key !== without && cell !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return JSON.stringify(rows);
}

function isBlank(cell: Cell | undefined): boolean {
  return cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

function notBlank(column: string, rowNumber: number | undefined): RowError {
  const where = rowNumber === undefined ? '' : `Row ${rowNumber}: `;
  return {
    code: 'ROW_VERIFY_NOT_BLANK',
    message: `${where}${column} has a value, but the verification address is written there; leave it blank.`,
  };
}
