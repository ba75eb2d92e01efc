import type { CsvRow } from '../csv/read-slice.ts';
import { csvLine, neutraliseCell } from '../csv/safe-cell.ts';
import type { RowProblem } from './row-plan.ts';

/**
 * The failed rows as a CSV a person can mend and send again: where and why, then the row as it was. The
 * original columns keep their names, so the mended file takes the same mappings.
 */
export interface FailedRow {
  readonly row: CsvRow;
  readonly problem: RowProblem;
}

const REASON_COLUMNS = ['line', 'column', 'value', 'code', 'message'];

/** A name of our own that the file uses too gets a mark, because two columns of one name cannot be imported. */
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

/** Cells of an imported file may be neutralised already; a second apostrophe would change them. */
function keepNeutral(cell: string): string {
  return cell.startsWith("'") ? cell : neutraliseCell(cell);
}
