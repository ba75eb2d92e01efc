import type { Layout, ShowIf, ValueSource } from '../../../src/fill/package/layout-schema.ts';
import { parseTemplate } from '../../../src/fill/package/template.ts';

/** Which columns feed which fields, both ways round, for showing what is used and what is forgotten. */
export interface ColumnUsage {
  /** Ids of the overlays and form fields that read a column, by column key. */
  readonly readers: ReadonlyMap<string, readonly string[]>;
  /** Columns that fields name and the rows do not have. */
  readonly missing: readonly string[];
}

export function columnUsage(layout: Layout, columnCount: number): ColumnUsage {
  const readers = new Map<string, string[]>();
  for (const field of [...layout.overlays, ...layout.form_fields]) {
    const keys = new Set([...columnsOfValue(field.value), ...columnsOfShowIf(field.show_if)]);
    for (const key of keys) readers.set(key, [...(readers.get(key) ?? []), field.id]);
  }
  const missing = [...readers.keys()]
    .filter((key) => Number(key.slice('column_'.length)) >= columnCount)
    .sort();
  return { readers, missing };
}

export function columnsOfValue(value: ValueSource | undefined): readonly string[] {
  if (value === undefined || 'static' in value) return [];
  if ('column' in value) return [value.column];
  const parsed = parseTemplate(value.template);
  return parsed.ok ? parsed.parts.flatMap((part) => ('column' in part ? [part.column] : [])) : [];
}

function columnsOfShowIf(showIf: ShowIf | undefined): string[] {
  if (showIf === undefined) return [];
  if ('all' in showIf) return showIf.all.map(({ column }) => column);
  if ('any' in showIf) return showIf.any.map(({ column }) => column);
  return [showIf.column];
}
