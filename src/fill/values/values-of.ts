import type { FormFieldMapping, Overlay, ValueFormat, ValueSource } from '../package/layout-schema.ts';

/** A value that a part of the layout shows. */
export interface ShownValue {
  readonly value: ValueSource | undefined;
  readonly format: ValueFormat | undefined;
  /** It is added up, so it is a number even without a format. */
  readonly isSummed?: boolean;
}

/** The values of an overlay or a form mapping: its own, or those of a table's columns. */
export function valuesOf(part: Overlay | FormFieldMapping): readonly ShownValue[] {
  if ('type' in part && part.type === 'table')
    return part.columns.map(({ value, format, total }) => ({ value, format, isSummed: total === 'sum' }));
  return [{ value: part.value, format: 'format' in part ? part.format : undefined }];
}
