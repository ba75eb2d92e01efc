import type { FillPlan } from '#fill/fill-plan.ts';
import { mappedColumns } from '#fill/mapped-columns.ts';

const NAMED = 10;

/**
 * Lists warnings about columns that the layout or the file names use and in which no row has a value. A blank column is
 * allowed, so this is not an error; but a wrong name produces thousands of documents with a blank in that place.
 */
export function missingColumns(
  { layout, options }: FillPlan,
  columns: ReadonlySet<string>,
): readonly string[] {
  const there = `the rows have values in ${named([...columns])}`;
  const keys = new Map(layout.columns.map(({ label, key }) => [label, key]));
  const unmapped = mappedColumns(layout, options).filter(
    (column) => !columns.has(column) && column !== options.verify?.column,
  );
  const unnamed = options.filenameColumns.filter(
    (name) => !columns.has(name) && !columns.has(keys.get(name) ?? name),
  );
  return [
    ...(unmapped.length > 0 ? [`the layout uses ${named(unmapped)}, but ${there}`] : []),
    ...(unnamed.length > 0 ? [`--filename-columns has ${named(unnamed)}, but ${there}`] : []),
  ];
}

function named(columns: readonly string[]): string {
  if (columns.length === 0) return 'no column';
  const rest = columns.length - NAMED;
  return columns.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
