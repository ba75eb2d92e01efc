import { isFillable } from '#fill/package/form-field-types.ts';
import { LAYOUT_CAPS } from '#fill/package/layout-caps.ts';
import { layoutOfForm } from '#fill/package/layout-of-form.ts';
import type { Layout, SourceMetadata } from '#fill/package/layout-schema.ts';
import { emptyLayout } from './project.ts';

export const fillableFields = (source: SourceMetadata) =>
  source.form_fields.filter(({ type }) => isFillable(type));

/** The layout that `rowpress layout from-form` proposes, and the fields for which no column is left in a row. */
export function formLayout(
  name: string,
  source: SourceMetadata,
  maxColumns: number,
): { readonly layout: Layout; readonly leftOut: readonly string[] } {
  const form = layoutOfForm(source, Math.min(maxColumns, LAYOUT_CAPS.columns));
  return {
    layout: { ...emptyLayout(name), columns: form.columns, form_fields: form.form_fields },
    leftOut: form.leftOut.filter(({ reason }) => reason === 'columns').map(({ field }) => field),
  };
}
