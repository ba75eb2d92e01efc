import type { Layout } from '#fill/package/layout-schema.ts';
import type { CheckedRow } from '../../core/check/check-report.ts';
import { problemColumns } from '../../core/check/problem-columns.ts';
import { fieldName } from '../../core/overlays/field-name.ts';
import { columnIndex, columnName, withLabels } from '../../core/overlays/value-words.ts';
import { quotedCsvLine } from '../../engine/rows/quoted-csv.ts';

const HEADER = ['Row', 'Column', 'Value', 'Code', 'Message', 'Field'];

/**
 * The problems of a check as CSV, one line per problem and column, with a byte order mark, because Excel reads UTF-8 only
 * with it. `cells` has the cells of each listed row.
 */
export function problemReport(
  layout: Layout,
  listed: readonly CheckedRow[],
  cells: readonly (readonly string[])[],
): string {
  const lines = listed.flatMap(({ row, problems }, index) =>
    problems.flatMap((problem) => {
      const field = problem.id === null ? '' : fieldName(layout, problem.id);
      const told = [problem.code, withLabels(layout, problem.message), field];
      const columns = problemColumns(layout, problem);
      if (columns.length === 0) return [[String(row), '', '', ...told]];
      return columns.map((column) => [
        String(row),
        columnName(layout, column),
        cells[index]?.[columnIndex(column)] ?? '',
        ...told,
      ]);
    }),
  );
  return `\ufeff${[HEADER, ...lines].map(quotedCsvLine).join('')}`;
}
