import type { Cell, RowCells } from './row-cells.ts';

/** One row of a group and its number in the input, from 1. */
export interface NumberedRow {
  readonly number: number;
  readonly cells: RowCells;
}

/**
 * The cells of a document that several rows make together. As a map, it has the cells of the group's first row, so everything
 * that reads one row reads that one. Tables read `rows`.
 */
export class GroupCells extends Map<string, Cell> {
  readonly rows: readonly NumberedRow[];

  constructor(rows: readonly NumberedRow[]) {
    super(rows[0]?.cells);
    this.rows = rows;
  }
}

/** The rows of a document: those of its group, or its only row, whose number the caller knows. */
export function rowsOf(
  cells: RowCells,
): readonly (Pick<NumberedRow, 'cells'> & { readonly number?: number })[] {
  return cells instanceof GroupCells ? cells.rows : [{ cells }];
}
