import type { Layout, ShowIf } from '#fill/package/layout-schema.ts';
import { columnsOf } from '../core/overlays/value-words.ts';

/** Which columns fill which fields, in both directions, to show used and unused columns. */
export interface ColumnUsage {
  /** Ids of the overlays and form fields that read a column, by column key. */
  readonly readers: ReadonlyMap<string, readonly string[]>;
  /** Columns that fields use and the rows do not have. */
  readonly missing: readonly string[];
}

export function columnUsage(layout: Layout, columnCount: number): ColumnUsage {
  const readers = new Map<string, string[]>();
  for (const field of [...layout.overlays, ...layout.form_fields]) {
    const keys = new Set([...columnsOf(field), ...columnsOfShowIf(field.show_if)]);
    for (const key of keys) readers.set(key, [...(readers.get(key) ?? []), field.id]);
  }
  const missing = [...readers.keys()]
    .filter((key) => Number(key.slice('column_'.length)) >= columnCount)
    .sort();
  return { readers, missing };
}

function columnsOfShowIf(showIf: ShowIf | undefined): string[] {
  if (showIf === undefined) return [];
  if ('all' in showIf) return showIf.all.map(({ column }) => column);
  if ('any' in showIf) return showIf.any.map(({ column }) => column);
  return [showIf.column];
}
