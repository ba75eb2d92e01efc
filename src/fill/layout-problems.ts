import type { Layout, Overlay, SourceMetadata } from './package/layout-schema.ts';
import { type BarcodeEncoder, loadBarcodeEncoder } from './row/codes/barcode-encoder.ts';
import { compileBarcodeOverlay } from './row/overlays/barcode-overlay.ts';
import type { RowContext } from './row/overlays/place-overlay.ts';
import { compileQrOverlay } from './row/overlays/qr-overlay.ts';

/**
 * Mistakes in a layout that filling would skip and report in every row. They are no matter of the schema, because the
 * same layout may meet another PDF tomorrow; saving from the editor and `layout seal --strict` refuse them.
 */
export interface LayoutProblem {
  /** Of the overlay or the form field mapping. */
  readonly id: string;
  readonly kind: 'overlay' | 'form field';
  readonly message: string;
}

export async function layoutProblems(
  layout: Layout,
  source: Pick<SourceMetadata, 'page_count' | 'form_fields'>,
  assets: { has(name: string): boolean },
): Promise<LayoutProblem[]> {
  // Two megabytes of encoder, wanted by few layouts.
  const hasBarcode = layout.overlays.some(({ type }) => type === 'barcode');
  const encoder = hasBarcode ? await loadBarcodeEncoder() : null;
  const fields = new Set(source.form_fields.map((field) => field.name));
  return [
    ...layout.overlays.flatMap((overlay): LayoutProblem[] =>
      [
        ...(overlay.page > source.page_count
          ? [`page ${overlay.page} of a PDF with ${source.page_count}`]
          : []),
        ...staticCodeProblem(overlay, encoder),
        ...staticImageProblem(overlay, assets),
      ].map((message) => ({ id: overlay.id, kind: 'overlay', message })),
    ),
    ...layout.form_fields
      .filter((mapping) => !fields.has(mapping.field))
      .map(
        (mapping): LayoutProblem => ({
          id: mapping.id,
          kind: 'form field',
          message: `the PDF has no field ${mapping.field}`,
        }),
      ),
  ];
}

/** A static code is encoded once, as a row would, and thrown away. */
function staticCodeProblem(overlay: Overlay, encoder: BarcodeEncoder | null): string[] {
  if (overlay.type !== 'qr' && overlay.type !== 'barcode') return [];
  if (!('static' in overlay.value)) return [];
  if (overlay.type === 'barcode' && encoder === null) throw new Error('bug: a barcode without its encoder');
  const place =
    overlay.type === 'qr'
      ? compileQrOverlay(overlay)
      : compileBarcodeOverlay(overlay, encoder as BarcodeEncoder);
  const skip = place(new Map(), NO_DRAWING);
  return skip === null ? [] : [skip.message];
}

function staticImageProblem(overlay: Overlay, assets: { has(name: string): boolean }): string[] {
  if (overlay.type !== 'image' && overlay.type !== 'signature' && overlay.type !== 'sticker') return [];
  if (overlay.value === undefined || !('static' in overlay.value)) return [];
  const name = overlay.value.static;
  const looksLikeName = /^(assets\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,99}\.[A-Za-z]{3,4}$/.test(name);
  if (!looksLikeName || assets.has(name) || assets.has(`assets/${name}`)) return [];
  return [`there is no asset ${name}`];
}

/** Codes touch neither fonts nor images; the members they do touch do nothing. */
const NO_DRAWING = { items: [], spend: () => undefined, note: () => undefined } as unknown as RowContext;
