import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import { columnKey } from './password-column.ts';

/** Rows are grouped by at most this many columns. */
export const MAX_GROUP_COLUMNS = 3;

/** The keys of the columns that a caller names by key or label, or the reason why they cannot be used. */
export function groupColumnKeys(
  columns: readonly LabelledColumn[],
  names: readonly string[],
): { readonly keys: readonly string[] } | { readonly problem: string } {
  const keys: string[] = [];
  for (const name of names) {
    const key = columnKey(columns, name);
    const shown = JSON.stringify(name.slice(0, 100));
    if (key === undefined)
      return { problem: `must name columns of the package by key or label; no single column is ${shown}` };
    if (keys.includes(key)) return { problem: `must name each column once; ${shown} is named twice` };
    keys.push(key);
  }
  return { keys };
}

/** The columns when rows are grouped by some of them: then the input must have them. */
export function withGroupColumns(
  columns: readonly LabelledColumn[],
  keys: readonly string[],
): readonly LabelledColumn[] {
  return columns.map((column) => (keys.includes(column.key) ? { ...column, used: true } : column));
}
