import type { Layout } from '#fill/package/layout-schema.ts';
import type { CheckReport, RowProblem } from '../../core/check/check-report.ts';
import { problemColumns } from '../../core/check/problem-columns.ts';
import type { CellPatch } from '../../core/rows/cell-patches.ts';
import { columnUsage } from '../../data/column-usage.ts';

/** A row of the sheet: one with problems, or one whose cells were corrected. */
export interface SheetRow {
  readonly row: number;
  /** Of a fixed row, the problems that it had. */
  readonly problems: readonly RowProblem[];
  readonly isFixed: boolean;
}

/** A place in the sheet. A problem that does not come from a cell has no column. */
export interface Spot {
  readonly row: number;
  readonly column: string | null;
}

export interface SheetFilter {
  readonly code: string | null;
  readonly column: string | null;
}

/** The listed rows with problems and all corrected rows, in row order. A corrected row without problems is fixed. */
export function sheetRows(
  { listed, problemRows }: Pick<CheckReport, 'listed' | 'problemRows'>,
  patches: readonly CellPatch[],
  former: ReadonlyMap<number, readonly RowProblem[]>,
): readonly SheetRow[] {
  const rows = new Map(
    listed.map(({ row, problems }): [number, SheetRow] => [row, { row, problems, isFixed: false }]),
  );
  const unlisted = new Set(problemRows);
  for (const { row } of patches)
    if (!rows.has(row)) rows.set(row, { row, problems: former.get(row) ?? [], isFixed: !unlisted.has(row) });
  return [...rows.values()].sort((a, b) => a.row - b.row);
}

/** `fixed` of `total` rows. The total includes rows with problems that are not listed. */
export function fixProgress(
  rows: readonly SheetRow[],
  { problemRows }: Pick<CheckReport, 'problemRows'>,
): { readonly fixed: number; readonly total: number } {
  const fixed = rows.filter(({ isFixed }) => isFixed).length;
  return { fixed, total: fixed + problemRows.length };
}

/** Columns whose cells cause a problem of the row. */
export function markedColumns(layout: Layout, { problems, isFixed }: SheetRow): readonly string[] {
  if (isFixed) return [];
  return [...new Set(problems.flatMap((problem) => problemColumns(layout, problem)))];
}

/** All columns: those with problems first, most problems before fewer; then those that fields read; then the rest. */
export function sheetColumns(
  layout: Layout,
  rows: readonly SheetRow[],
  columnCount: number,
): readonly string[] {
  const problems = new Map<string, number>();
  for (const row of rows)
    for (const column of new Set(row.problems.flatMap((problem) => problemColumns(layout, problem))))
      problems.set(column, (problems.get(column) ?? 0) + 1);
  const { readers } = columnUsage(layout, columnCount);
  const rank = (key: string) => (problems.has(key) ? 2 : readers.has(key) ? 1 : 0);
  // Sorting is stable, so equal columns keep the project's order.
  return Array.from({ length: columnCount }, (_, index) => `column_${index}`).sort(
    (a, b) => rank(b) - rank(a) || (problems.get(b) ?? 0) - (problems.get(a) ?? 0),
  );
}

/** The columns that cause problems, for the filter, in the order of the sheet. */
export function involvedColumns(
  layout: Layout,
  rows: readonly SheetRow[],
  columns: readonly string[],
): readonly string[] {
  const involved = new Set(
    rows.flatMap(({ problems }) => problems.flatMap((problem) => problemColumns(layout, problem))),
  );
  return columns.filter((column) => involved.has(column));
}

export const codesOf = (rows: readonly SheetRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ problems }) => problems.map(({ code }) => code)))].sort();

/** Rows with a problem that both filters match. Fixed rows match by the problems that they had. */
export function filteredRows(
  layout: Layout,
  rows: readonly SheetRow[],
  { code, column }: SheetFilter,
): readonly SheetRow[] {
  if (code === null && column === null) return rows;
  return rows.filter(({ problems }) =>
    problems.some(
      (problem) =>
        (code === null || problem.code === code) &&
        (column === null || problemColumns(layout, problem).includes(column)),
    ),
  );
}

/** Returns the next or previous place with a problem, from `from` on and around the end; null if all rows are fixed. */
export function nextProblem(
  layout: Layout,
  rows: readonly SheetRow[],
  columns: readonly string[],
  from: Spot | null,
  direction: 1 | -1,
): Spot | null {
  const place = new Map(columns.map((column, index) => [column, index]));
  const order = ({ column }: Spot) => (column === null ? -1 : (place.get(column) ?? -1));
  const spots = rows
    .filter(({ isFixed }) => !isFixed)
    .flatMap((row): Spot[] => {
      const marked = markedColumns(layout, row).filter((column) => place.has(column));
      return marked.length === 0
        ? [{ row: row.row, column: null }]
        : marked.map((column) => ({ row: row.row, column })).sort((a, b) => order(a) - order(b));
    });
  const along = direction === 1 ? spots : spots.toReversed();
  if (from === null) return along[0] ?? null;
  const isBeyond = (spot: Spot) => direction * (spot.row - from.row || order(spot) - order(from)) > 0;
  return along.find(isBeyond) ?? along[0] ?? null;
}
