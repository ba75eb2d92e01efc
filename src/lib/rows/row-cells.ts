/**
 * One row of input as the engine sees it: text by column key (`column_0`, …), wherever it came from.
 * Blank has one form: the key is absent. Keys that no layout knows are kept (file names may use them).
 */
export type RowCells = ReadonlyMap<string, Cell>;
export type Cell = string | StructuredCell | ErrorCell;

/**
 * A cell in which a workbook shows an error (`#N/A`) instead of a value. It is drawn as nothing and noted at its row. Null in every
 * form, because it must survive JSON and threads; a blank cell is absent.
 */
export type ErrorCell = null;

/** A JSON object or array in a cell's place. It fails the row only if something on the page maps that cell. */
export interface StructuredCell {
  /** Canonical JSON, so that white space and key order make no difference. */
  readonly json: string;
}
