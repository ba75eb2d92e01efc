import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import { columnKey } from '../password-column.ts';

/** Columns of the same request, by key or label, that read values before the engine supplies one. */
export interface OtherColumns {
  readonly filenames: readonly string[];
  readonly groupBy: readonly string[];
  readonly password: string | undefined;
}

/** The key of the column that a caller names by its key or its label (keys take precedence), or the reason why none is meant. */
export function verifyColumnKey(
  columns: readonly LabelledColumn[],
  name: string,
  { filenames, groupBy, password }: OtherColumns,
): { readonly key: string } | { readonly problem: string } {
  const key = columnKey(columns, name);
  if (key === undefined)
    return { problem: 'must be the key or the label of exactly one column of the package' };
  const isSame = (other: string) => other === name || columnKey(columns, other) === key;
  if (filenames.some(isSame)) return { problem: 'must not be one of the columns of the file names' };
  if (groupBy.some(isSame)) return { problem: 'must not be one of the columns that rows are grouped by' };
  if (password !== undefined && isSame(password))
    return { problem: 'must not be the column of the passwords' };
  return { key };
}

/** The columns when the engine supplies the values of one of them: the input need not have it. */
export function withoutVerifyColumn(
  columns: readonly LabelledColumn[],
  verify: string,
): readonly LabelledColumn[] {
  return columns.map((column) => (column.key === verify ? { ...column, used: false } : column));
}
