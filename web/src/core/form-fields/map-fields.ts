import type { FormFieldMapping, Layout, SourceFormField, ValueSource } from '#fill/package/layout-schema.ts';

/** Values for the PDF's own form fields. A mapping's id is the field's name if that is free. */
export function mapField(layout: Layout, field: string, value: ValueSource): Layout {
  const known = layout.form_fields.some((mapping) => mapping.field === field);
  const form_fields = known
    ? layout.form_fields.map((mapping) => (mapping.field === field ? { ...mapping, value } : mapping))
    : [...layout.form_fields, { id: freeId(idsOf(layout), field), field, value }];
  return { ...layout, form_fields };
}

/** Sets the font of a mapped field; undefined keeps the field's own. */
export function setFieldFont(layout: Layout, field: string, font: string | undefined): Layout {
  const form_fields = layout.form_fields.map((mapping) => {
    if (mapping.field !== field) return mapping;
    const { font: _, ...rest } = mapping;
    return font === undefined ? rest : { ...rest, font };
  });
  return { ...layout, form_fields };
}

export function unmapField(layout: Layout, field: string): Layout {
  return { ...layout, form_fields: layout.form_fields.filter((mapping) => mapping.field !== field) };
}

/** Maps unmapped fields to the column of the same name: `employee.first_name` is `First Name`. */
export function matchFormFields(layout: Layout, fields: readonly Pick<SourceFormField, 'name'>[]): Layout {
  const mapped = new Set(layout.form_fields.map(({ field }) => field));
  const taken = idsOf(layout);
  const byLabel = new Map<string, { readonly key: string; readonly index: number }>();
  for (const [index, { key, label }] of layout.columns.entries()) {
    if (label !== '' && !byLabel.has(loose(label))) byLabel.set(loose(label), { key, index });
  }
  const added = fields.flatMap(({ name }): FormFieldMapping[] => {
    if (mapped.has(name)) return [];
    const found = [loose(name), loose(name.split('.').at(-1) ?? name)].flatMap(
      (wanted) => byLabel.get(wanted) ?? [],
    );
    const [column] = found.sort((a, b) => a.index - b.index);
    if (column === undefined) return [];
    const id = freeId(taken, name);
    taken.add(id);
    return [{ id, field: name, value: { column: column.key } }];
  });
  return added.length === 0 ? layout : { ...layout, form_fields: [...layout.form_fields, ...added] };
}

const loose = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

const MOST_CHARACTERS = 90;

const idsOf = (layout: Layout) => new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));

function freeId(taken: ReadonlySet<string>, field: string): string {
  const stem = field.slice(0, MOST_CHARACTERS);
  let id = stem;
  for (let number = 2; taken.has(id); number += 1) id = `${stem}_${number}`;
  return id;
}
