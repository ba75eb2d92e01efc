/** Kinds of native form fields. Free of the schema library: the editor's first screen needs these names, but no schema. */
export const FORM_FIELD_TYPES = [
  'text',
  'checkbox',
  'radio',
  'dropdown',
  'listbox',
  'button',
  'signature',
  'unknown',
] as const;
const FILLABLE_TYPES = ['text', 'checkbox', 'radio', 'dropdown', 'listbox'] as const;

export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];
export type FillableType = (typeof FILLABLE_TYPES)[number];

const fillable: ReadonlySet<FormFieldType> = new Set(FILLABLE_TYPES);
export const isFillable = (type: FormFieldType): type is FillableType => fillable.has(type);
