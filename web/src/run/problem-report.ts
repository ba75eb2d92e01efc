import type { Layout } from '#fill/package/layout-schema.ts';
import { fieldName } from '../core/overlays/field-name.ts';
import { columnIndex, columnName } from '../core/overlays/value-words.ts';
import { fileRowOf, type RowRanges } from '../core/runs/row-ranges.ts';
import { quotedCsvLine } from '../engine/rows/quoted-csv.ts';
import { codeWords } from '../preview/code-words.ts';
import type { ProblemRow } from './problem-rows.ts';

const HEADER = ['Row in the file', 'Result', 'Problem', 'Code', 'Message', 'Field', 'Column', 'Value'];
const RESULTS: Readonly<Record<ProblemRow['status'], string>> = {
  failed: 'Failed, no document',
  partial: 'Field skipped',
  noted: 'Document with a note',
};

/** The row of the input at which the problem is: a grouped job counts documents, and names this row as well. */
export const inputRow = ({ row_number, input_row_number = row_number }: ProblemRow): number =>
  input_row_number;

/** The message of a problem, with the column's label instead of its key. */
export function messageWords({ message, column, column_label }: ProblemRow): string {
  if (column === null || !column_label) return message;
  return message.replaceAll(new RegExp(`\\b${column}\\b`, 'g'), () => `“${column_label}”`);
}

/** Returns the cells of a row of the file; undefined if the current rows are not those of the run. */
export type CellsOf = (row: number) => readonly string[] | undefined;

/** The problems of a run as CSV. It starts with a byte order mark, without which Excel misreads UTF-8. */
export function problemReport(
  problems: readonly ProblemRow[],
  rows: RowRanges,
  layout: Layout,
  cellsOf: CellsOf,
): string {
  const lines = problems.map((problem) => {
    const { status, code, overlay_id, field, column, column_label } = problem;
    const row = fileRowOf(rows, inputRow(problem));
    const label = column_label || (column === null ? '' : columnName(layout, column));
    const value = column === null ? '' : (cellsOf(row)?.[columnIndex(column)] ?? '');
    const name = overlay_id === null ? (field ?? '') : fieldName(layout, overlay_id);
    return [String(row), RESULTS[status], codeWords(code), code, messageWords(problem), name, label, value];
  });
  return `\ufeff${[HEADER, ...lines].map(quotedCsvLine).join('')}`;
}
