import type { Layout, SourceFormField, ValueSource } from '../../../../src/fill/package/layout-schema.ts';

/** Values for the PDF's own form fields. A mapping's id is the field's name where that is free. */
export function mapField(layout: Layout, field: string, value: ValueSource): Layout {
  const known = layout.form_fields.some((mapping) => mapping.field === field);
  const form_fields = known
    ? layout.form_fields.map((mapping) => (mapping.field === field ? { ...mapping, value } : mapping))
    : [...layout.form_fields, { id: freeId(layout, field), field, value }];
  return { ...layout, form_fields };
}

/** Names the font of a mapped field; undefined leaves the field's own. */
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

/** Fields that are not yet mapped take the column of their name: `employee.first_name` is `First Name`. */
export function matchFormFields(layout: Layout, fields: readonly Pick<SourceFormField, 'name'>[]): Layout {
  let next = layout;
  for (const { name } of fields) {
    if (next.form_fields.some((mapping) => mapping.field === name)) continue;
    const wanted = [loose(name), loose(name.split('.').at(-1) ?? name)];
    const column = layout.columns.find(({ label }) => label !== '' && wanted.includes(loose(label)));
    if (column !== undefined) next = mapField(next, name, { column: column.key });
  }
  return next;
}

const loose = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');

const MOST_CHARACTERS = 90;

function freeId(layout: Layout, field: string): string {
  const taken = new Set([...layout.overlays, ...layout.form_fields].map(({ id }) => id));
  const stem = field.slice(0, MOST_CHARACTERS);
  let id = stem;
  for (let number = 2; taken.has(id); number += 1) id = `${stem}_${number}`;
  return id;
}
