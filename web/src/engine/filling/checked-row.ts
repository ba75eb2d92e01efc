import { fontPackagesIn } from '#fill/draw/text/missing-glyphs.ts';
import { documentPassword } from '#fill/encrypt/row-password.ts';
import { rowStatus } from '#fill/results/row-outcome.ts';
import type { RowPart } from '#fill/row-filler.ts';
import type { RowCells } from '#fill/values/row-cells.ts';
import type { CheckedRow, RowProblem } from '../../core/check/check-report.ts';

type Drawn = Pick<RowPart, 'applied' | 'skipped' | 'warnings' | 'error'>;

/** The result of a drawn row in the form of the report. */
export function checkedRow(row: number, { applied, skipped, warnings, error }: Drawn): CheckedRow {
  const problems: RowProblem[] = error === null ? [] : [{ id: null, ...error }];
  for (const { overlay_id, code, message } of warnings) {
    const fontPackages = code === 'GLYPH_MISSING' ? fontPackagesIn(message) : [];
    problems.push({ id: overlay_id, code, message, ...(fontPackages.length > 0 && { fontPackages }) });
  }
  return { row, status: rowStatus({ applied, skipped }, error), problems };
}

/**
 * The result of a drawn group for each of its rows, as the server reports it: an error, and a note that names no row, are at the
 * first one. Only that row has failed, so that failed rows are documents.
 */
export function checkedGroup(rows: readonly number[], drawn: Drawn): readonly CheckedRow[] {
  const first = rows[0] ?? 0;
  const byRow = Map.groupBy(drawn.warnings, ({ input_row_number = first }) => input_row_number);
  return rows.map((row) => {
    const warnings = byRow.get(row) ?? [];
    return checkedRow(row, { ...drawn, warnings, error: row === first ? drawn.error : null });
  });
}

/** The document as drawn, or failed if it has no usable password. */
export function withPassword(drawn: Drawn, cells: RowCells, column: string | null | undefined): Drawn {
  if (drawn.error !== null || typeof column !== 'string') return drawn;
  const found = documentPassword(cells, column);
  return 'error' in found ? { ...drawn, error: found.error } : drawn;
}
