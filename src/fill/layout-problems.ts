import { kindOf } from './kinds/kind-of.ts';
import type { Layout, SourceMetadata } from './package/layout-schema.ts';

/** A mistake in a layout, and where it is. */
export interface LayoutProblem {
  /** `overlays[3].page` */
  readonly path: string;
  readonly overlay_id?: string;
  readonly form_field_id?: string;
  readonly message: string;
}

/**
 * Finds mistakes that filling would skip and report in every row. Sealing warns of them, or refuses the layout if it is
 * strict. The schema cannot check them, because they depend on the PDF and the assets.
 */
export async function findLayoutProblems(
  layout: Layout,
  source: SourceMetadata,
  assets: ReadonlyMap<string, Uint8Array>,
): Promise<LayoutProblem[]> {
  const fields = new Set(source.form_fields.map((field) => field.name));
  const overlays: LayoutProblem[] = [];
  for (const [index, overlay] of layout.overlays.entries()) {
    const add = (member: string, message: string) =>
      overlays.push({ path: `overlays[${index}].${member}`, overlay_id: overlay.id, message });
    if (overlay.page > source.page_count)
      add('page', `page ${overlay.page} of a PDF with ${source.page_count}`);
    const problem = await kindOf(overlay).staticProblem?.(overlay, assets);
    if (problem !== undefined) add('value', problem);
  }
  const mappings = layout.form_fields.flatMap(({ id, field }, index) =>
    fields.has(field)
      ? []
      : [
          {
            path: `form_fields[${index}].field`,
            form_field_id: id,
            message: `the PDF has no field ${field}`,
          },
        ],
  );
  return [...overlays, ...mappings];
}
