import { type BarcodeEncoder, loadBarcodeEncoder } from './draw/codes/barcode-encoder.ts';
import type { RowContext } from './draw/place-overlay.ts';
import { compileBarcodeOverlay } from './kinds/barcode/draw.ts';
import { compileQrOverlay } from './kinds/qr/draw.ts';
import type { Layout, Overlay, SourceMetadata } from './package/layout-schema.ts';

/** A mistake in a layout, and where it is. */
export interface LayoutProblem {
  /** `overlays[3].page` */
  readonly path: string;
  readonly overlay_id?: string;
  readonly form_field_id?: string;
  readonly message: string;
}

/**
 * Mistakes that filling would skip and report in every row; sealing warns of them or, where it is strict, refuses. They
 * are no matter of the schema, because the same layout may meet another PDF tomorrow.
 */
export async function findLayoutProblems(
  layout: Layout,
  source: SourceMetadata,
  assets: ReadonlyMap<string, Uint8Array>,
): Promise<LayoutProblem[]> {
  const encoder = await loadBarcodeEncoder();
  const fields = new Set(source.form_fields.map((field) => field.name));
  const overlays = layout.overlays.flatMap((overlay, index) => {
    const at = (member: string, message: string | undefined): LayoutProblem[] =>
      message === undefined
        ? []
        : [{ path: `overlays[${index}].${member}`, overlay_id: overlay.id, message }];
    return [
      ...at(
        'page',
        overlay.page > source.page_count
          ? `page ${overlay.page} of a PDF with ${source.page_count}`
          : undefined,
      ),
      ...at('value', staticCodeProblem(overlay, encoder)),
      ...at('value', staticImageProblem(overlay, assets)),
    ];
  });
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

/** A static code is encoded once, as a row would, and thrown away. */
function staticCodeProblem(overlay: Overlay, encoder: BarcodeEncoder): string | undefined {
  if (overlay.type !== 'qr' && overlay.type !== 'barcode') return undefined;
  if (!('static' in overlay.value)) return undefined;
  const place = overlay.type === 'qr' ? compileQrOverlay(overlay) : compileBarcodeOverlay(overlay, encoder);
  return place(new Map(), NO_DRAWING)?.message;
}

function staticImageProblem(overlay: Overlay, assets: ReadonlyMap<string, Uint8Array>): string | undefined {
  if (overlay.type !== 'image' && overlay.type !== 'signature' && overlay.type !== 'sticker')
    return undefined;
  if (overlay.value === undefined || !('static' in overlay.value)) return undefined;
  const name = overlay.value.static;
  const looksLikeName = /^(assets\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.[A-Za-z]{3,4}$/.test(name);
  if (!looksLikeName || assets.has(name) || assets.has(`assets/${name}`)) return undefined;
  return `there is no asset ${name}`;
}

/** Codes touch neither fonts nor images; the members they do touch do nothing. */
const NO_DRAWING = { items: [], spend: () => undefined, note: () => undefined } as unknown as RowContext;
