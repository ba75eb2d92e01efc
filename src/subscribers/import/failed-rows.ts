import { csvLine, neutraliseCell } from '#lib/records/csv/safe-cell.ts';
import type { CsvRow } from '../csv/read-slice.ts';
import type { RowProblem } from './row-plan.ts';

/**
 * Writes the failed rows as a CSV that a person can correct and send again: line and reason, then the original row. The
 * original columns keep their names, so the same mappings apply to the corrected file.
 */
export interface FailedRow {
  readonly row: CsvRow;
  readonly problem: RowProblem;
}

const REASON_COLUMNS = ['line', 'column', 'value', 'code', 'message'];

/** Marks a name of ours that the file uses too: a file with two columns of the same name cannot be imported. */
export function failedRowsHeader(headers: readonly string[]): string {
  const ours = REASON_COLUMNS.map((name) => (headers.includes(name) ? `import_${name}` : name));
  return csvLine([...ours, ...headers.map(neutraliseCell)]);
}

export function failedRowLine(headers: readonly string[], { row, problem }: FailedRow): string {
  const where = [
    String(row.line),
    headers[problem.column] ?? '',
    row.cells[problem.column] ?? '',
    problem.code,
    problem.reason,
  ];
  const original = headers.map((_, column) => row.cells[column] ?? '');
  return csvLine([...where, ...original].map(keepNeutral));
}

/** Cells of an imported file may already be neutralised; a second apostrophe would change them. */
function keepNeutral(cell: string): string {
  return cell.startsWith("'") ? cell : neutraliseCell(cell);
}
