import { embeddingProblem } from './fonts/embedding-rights.ts';
import { FontInvalid, readSfnt } from './fonts/sfnt.ts';
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
    if (overlay.type === 'table' && (overlay.continue_on ?? 0) > source.page_count)
      add('continue_on', `page ${overlay.continue_on} of a PDF with ${source.page_count}`);
    const wrong = kindOf(overlay).memberProblem?.(overlay);
    if (wrong !== undefined) add(wrong.member, wrong.message);
    const problem = await kindOf(overlay).staticProblem?.(overlay, assets);
    if (problem !== undefined) add('value', problem);
  }
  const indexes = new Map(layout.overlays.map(({ id }, index) => [id, index]));
  for (const [, together] of Map.groupBy(layout.overlays, ({ type }) => type)) {
    const [first] = together;
    const found = first === undefined ? [] : (kindOf(first).togetherProblems?.(together) ?? []);
    for (const { id, member, message } of found)
      overlays.push({ path: `overlays[${indexes.get(id)}].${member}`, overlay_id: id, message });
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
  return [...fontProblems(layout, assets), ...overlays, ...mappings];
}

/** Fonts whose licence does not permit what every document does with them. Unusable files are rejected elsewhere (FILL80). */
function fontProblems(layout: Layout, assets: ReadonlyMap<string, Uint8Array>): LayoutProblem[] {
  return layout.fonts.flatMap((font, index) =>
    (['regular', 'bold', 'italic', 'bold_italic'] as const).flatMap((style) => {
      const bytes = assets.get(font[style] ?? '');
      const problem = bytes === undefined ? undefined : rightsOf(bytes);
      if (problem === undefined) return [];
      return [
        { path: `fonts[${index}].${style}`, message: `the font ${font.name} cannot be used: ${problem}` },
      ];
    }),
  );
}

function rightsOf(bytes: Uint8Array): string | undefined {
  try {
    return embeddingProblem(readSfnt(bytes));
  } catch (error) {
    if (error instanceof FontInvalid) return undefined;
    throw error;
  }
}
