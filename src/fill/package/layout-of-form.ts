import { isFillable } from './form-field-types.ts';
import type { FormFieldMapping, Layout, SourceFormField, SourceMetadata } from './layout-schema.ts';

/** Proposes a layout for a form: a column for each field that a row can fill, in the form's order. */
export interface FormLayout {
  readonly columns: Layout['columns'];
  readonly form_fields: FormFieldMapping[];
  readonly mapped: readonly SourceFormField[];
  readonly leftOut: readonly LeftOutField[];
}

export interface LeftOutField {
  readonly field: string;
  readonly type: SourceFormField['type'];
  /** `columns`: the limit of columns is reached; `type`: rows cannot fill fields of this type. */
  readonly reason: 'columns' | 'type';
}

const MAX_LABEL = 200;

export function layoutOfForm({ form_fields: fields }: SourceMetadata, maxColumns: number): FormLayout {
  const mapped: SourceFormField[] = [];
  const leftOut: LeftOutField[] = [];
  for (const field of fields) {
    const reason = !isFillable(field.type) ? 'type' : mapped.length >= maxColumns ? 'columns' : null;
    if (reason === null) mapped.push(field);
    else leftOut.push({ field: field.name, type: field.type, reason });
  }
  return {
    columns: mapped.map(({ name }, index) => ({ key: `column_${index}`, label: name.slice(0, MAX_LABEL) })),
    form_fields: mapped.map(({ name }, index) => ({
      id: `field_${index}`,
      field: name,
      value: { column: `column_${index}` },
    })),
    mapped,
    leftOut,
  };
}
