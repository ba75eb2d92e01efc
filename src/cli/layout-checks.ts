import type { Layout, Overlay, SourceMetadata } from '../fill/package/layout-schema.ts';
import { type BarcodeEncoder, loadBarcodeEncoder } from '../fill/row/codes/barcode-encoder.ts';
import { compileBarcodeOverlay } from '../fill/row/overlays/barcode-overlay.ts';
import type { RowContext } from '../fill/row/overlays/place-overlay.ts';
import { compileQrOverlay } from '../fill/row/overlays/qr-overlay.ts';

/**
 * What `layout seal` warns of (and `--strict` refuses): mistakes that filling would skip and report in every row. They
 * are no matter of the schema, because the same layout may meet another PDF tomorrow.
 */
export async function layoutWarnings(
  layout: Layout,
  source: SourceMetadata,
  assets: ReadonlyMap<string, Uint8Array>,
): Promise<string[]> {
  const encoder = await loadBarcodeEncoder();
  const fields = new Set(source.form_fields.map((field) => field.name));
  return [
    ...layout.overlays.flatMap((overlay) => [
      ...(overlay.page > source.page_count
        ? [`overlay ${overlay.id}: page ${overlay.page} of a PDF with ${source.page_count}`]
        : []),
      ...staticCodeWarning(overlay, encoder),
      ...staticImageWarning(overlay, assets),
    ]),
    ...layout.form_fields
      .filter((mapping) => !fields.has(mapping.field))
      .map((mapping) => `form field ${mapping.id}: the PDF has no field ${mapping.field}`),
  ];
}

/** A static code is encoded once, as a row would, and thrown away. */
function staticCodeWarning(overlay: Overlay, encoder: BarcodeEncoder): string[] {
  if (overlay.type !== 'qr' && overlay.type !== 'barcode') return [];
  if (!('static' in overlay.value)) return [];
  const place = overlay.type === 'qr' ? compileQrOverlay(overlay) : compileBarcodeOverlay(overlay, encoder);
  const skip = place(new Map(), NO_DRAWING);
  return skip === null ? [] : [`overlay ${overlay.id}: ${skip.message}`];
}

function staticImageWarning(overlay: Overlay, assets: ReadonlyMap<string, Uint8Array>): string[] {
  if (overlay.type !== 'image' && overlay.type !== 'signature' && overlay.type !== 'sticker') return [];
  if (overlay.value === undefined || !('static' in overlay.value)) return [];
  const name = overlay.value.static;
  const looksLikeName = /^(assets\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.[A-Za-z]{3,4}$/.test(name);
  if (!looksLikeName || assets.has(name) || assets.has(`assets/${name}`)) return [];
  return [`overlay ${overlay.id}: there is no asset ${name}`];
}

/** Codes touch neither fonts nor images; the members they do touch do nothing. */
const NO_DRAWING = { items: [], spend: () => undefined, note: () => undefined } as unknown as RowContext;
