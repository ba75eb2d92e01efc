/** The row type is a leaf (the CSV and JSON readers make it); the fill engine imports it from here. */
export type { Cell, RowCells, StructuredCell } from '#lib/rows/row-cells.ts';
