import type { Layout, Overlay, SourceMetadata } from '../../../src/fill/package/layout-schema.ts';
import { fillableFields } from '../files/form-layout.ts';

/**
 * Maps by name: a form field that no mapping fills, and an overlay that has an empty static text, take the column whose
 * label says the same. `employee.first_name` and `First name` are the same; what is mapped already stays.
 */
export function matchColumns(layout: Layout, source: SourceMetadata): { layout: Layout; matched: number } {
  const byName = new Map<string, string>();
  for (const { key, label } of layout.columns) {
    const name = plain(label);
    if (name !== '' && !byName.has(name)) byName.set(name, key);
  }
  let matched = 0;
  const take = (names: readonly string[]): { column: string } | null => {
    for (const name of names) {
      const column = byName.get(plain(name));
      if (column === undefined) continue;
      matched += 1;
      return { column };
    }
    return null;
  };
  const overlays = layout.overlays.map((overlay): Overlay => {
    if (!isUnmapped(overlay)) return overlay;
    const value = take([overlay.id]);
    return value === null ? overlay : { ...overlay, value };
  });
  const mapped = new Set(layout.form_fields.map(({ field }) => field));
  const ids = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  const added = fillableFields(source).flatMap(({ name }) => {
    if (mapped.has(name)) return [];
    const value = take([name, name.slice(name.lastIndexOf('.') + 1)]);
    return value === null ? [] : [{ id: freeId(name, ids), field: name, value }];
  });
  if (matched === 0) return { layout, matched };
  return { layout: { ...layout, overlays, form_fields: [...layout.form_fields, ...added] }, matched };
}

/** A field nobody has given a value. */
export function isUnmapped(overlay: Pick<Overlay, 'type' | 'value'>): boolean {
  if (overlay.type === 'sticker') return false;
  return overlay.value === undefined || ('static' in overlay.value && overlay.value.static === '');
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function freeId(name: string, taken: Set<string>): string {
  const stem = name.slice(0, 90);
  let id = stem;
  for (let count = 2; taken.has(id); count += 1) id = `${stem}_${count}`;
  taken.add(id);
  return id;
}
