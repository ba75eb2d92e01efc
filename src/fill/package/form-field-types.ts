/**
 * Kinds of native form fields. Free of the schema library: the editor's first screen and the reader of uploaded PDFs need these names,
 * but no schema, and loading the library takes 50 ms of processor time.
 */
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

/** Limits of the options that a package stores for a field. Filling reads them from the submitted PDF, without these limits. */
export const OPTION_CAPS = { options: 100_000, characters: 10_000 } as const;
