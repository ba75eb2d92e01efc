import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';

/** The key of the column that a caller names by its key or its label (keys take precedence), or the reason why none is meant. */
export function passwordColumnKey(
  columns: readonly LabelledColumn[],
  name: string,
  filenameColumns: readonly string[],
): { readonly key: string } | { readonly problem: string } {
  const key = columnKey(columns, name);
  if (key === undefined)
    return { problem: 'must be the key or the label of exactly one column of the package' };
  // Names of files are not encrypted.
  if (filenameColumns.some((column) => column === name || columnKey(columns, column) === key))
    return { problem: 'must not be one of the columns of the file names' };
  return { key };
}

/** The key of the one column that has this key, or else this label. */
export function columnKey(columns: readonly LabelledColumn[], name: string): string | undefined {
  const found = columns.filter(({ key, label }) => key === name || label === name);
  return (found.find(({ key }) => key === name) ?? (found.length === 1 ? found[0] : undefined))?.key;
}

/** The columns when one of them holds the passwords: then the input must have it. */
export function withPasswordColumn(
  columns: readonly LabelledColumn[],
  password: string,
): readonly LabelledColumn[] {
  return columns.map((column) => (column.key === password ? { ...column, used: true } : column));
}
