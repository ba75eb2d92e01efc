import type { Layout, SourceMetadata } from '../../../src/fill/package/layout-schema.ts';
import { isFillable } from '../../../src/fill/package/source-metadata.ts';
import { emptyLayout } from '../editor/project.ts';

const MOST = 200;

export const fillableFields = (source: SourceMetadata) =>
  source.form_fields.filter(({ type }) => isFillable(type)).slice(0, MOST);

/** One column for each of the form's own fields, in the form's order; what `rowpress layout from-form` proposes. */
export function formLayout(name: string, source: SourceMetadata): Layout {
  const fields = fillableFields(source);
  return {
    ...emptyLayout(name),
    columns: fields.map((field, index) => ({ key: `column_${index}`, label: field.name.slice(0, 200) })),
    form_fields: fields.map((field, index) => ({
      id: `field_${index}`,
      field: field.name,
      value: { column: `column_${index}` },
    })),
  };
}
