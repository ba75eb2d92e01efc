/**
 * One row of input: text by column key (`column_0`, …), from any format. A blank cell has no key. Keys that no layout uses are kept, because
 * file names may use them.
 */
export type RowCells = ReadonlyMap<string, Cell>;
export type Cell = string | StructuredCell | ErrorCell;

/**
 * A cell of a workbook that shows an error (`#N/A`) instead of a value. Nothing is drawn, and its row gets a note. It is null, because null
 * survives JSON and messages between threads; a blank cell is absent.
 */
export type ErrorCell = null;

/** A JSON object or array instead of a text. It fails the row only if the layout maps that cell. */
export interface StructuredCell {
  /** Canonical JSON, so that white space and key order do not matter. */
  readonly json: string;
}
