/** The cells of a row, as the CSV and JSON readers return them. */
export type { Cell, RowCells, StructuredCell } from '#lib/rows/row-cells.ts';
