import type { Layout, Overlay, SourceMetadata, ValueSource } from '#fill/package/layout-schema.ts';
import { valuesOf } from '#fill/values/values-of.ts';
import { normalisedLabel } from '#lib/rows/match-labels.ts';
import { readColumn } from '../core/overlays/read-column.ts';
import { columnIndex } from '../core/overlays/value-words.ts';
import { isSticker } from '../kinds/tools.ts';
import { fillableFields } from '../project/form-layout.ts';

/**
 * Binds by name: a form field takes the column of its name, even if it reads another column now, and so does an overlay that
 * has no value yet. `employee.first_name` and `First name` are the same. A name that two columns have binds nothing.
 */
export function matchColumns(
  layout: Layout,
  source: SourceMetadata,
  columnCount: number,
): { layout: Layout; matched: number } {
  const columnOf = namedColumns(layout, columnCount);
  let matched = 0;
  const take = (names: readonly string[], now: ValueSource | undefined): { column: string } | null => {
    const column = names.map(columnOf).find((key) => key !== undefined);
    if (column === undefined || (now !== undefined && 'column' in now && now.column === column)) return null;
    matched += 1;
    return { column };
  };
  const overlays = layout.overlays.map((overlay): Overlay => {
    const value = isUnmapped(overlay) ? take([overlay.id], overlay.value) : null;
    return value === null ? overlay : readColumn(layout, overlay, value.column);
  });
  const namesOf = (field: string) => [field, field.slice(field.lastIndexOf('.') + 1)];
  const rebound = layout.form_fields.map((mapping) => {
    // A template or a fixed text was entered by the user; a column may be a default by position.
    const value = 'column' in mapping.value ? take(namesOf(mapping.field), mapping.value) : null;
    return value === null ? mapping : { ...mapping, value };
  });
  const mapped = new Set(layout.form_fields.map(({ field }) => field));
  const ids = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  const added = fillableFields(source).flatMap(({ name }) => {
    const value = mapped.has(name) ? null : take(namesOf(name), undefined);
    return value === null ? [] : [{ id: freeId(name, ids), field: name, value }];
  });
  if (matched === 0) return { layout, matched };
  return { layout: { ...layout, overlays, form_fields: [...rebound, ...added] }, matched };
}

/** The key of the one column of that name; an equal name wins over a similar one. */
function namedColumns(layout: Layout, columnCount: number): (name: string) => string | undefined {
  const equal = new Map<string, string[]>();
  const similar = new Map<string, string[]>();
  const add = (names: Map<string, string[]>, name: string, key: string) =>
    names.set(name, [...(names.get(name) ?? []), key]);
  for (const { key, label } of layout.columns) {
    if (normalisedLabel(label) === '' || columnIndex(key) >= columnCount) continue;
    add(equal, label, key);
    add(similar, normalisedLabel(label), key);
  }
  return (name) => {
    const keys = equal.get(name) ?? similar.get(normalisedLabel(name)) ?? [];
    return keys.length === 1 ? keys[0] : undefined;
  };
}

/** Returns whether a field that needs a value has none. */
export function isUnmapped(overlay: Overlay): boolean {
  if (isSticker(overlay)) return false;
  return valuesOf(overlay).every(
    ({ value }) => value === undefined || ('static' in value && value.static === ''),
  );
}

function freeId(name: string, taken: Set<string>): string {
  const stem = name.slice(0, 90);
  let id = stem;
  for (let count = 2; taken.has(id); count += 1) id = `${stem}_${count}`;
  taken.add(id);
  return id;
}
