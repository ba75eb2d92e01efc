import type { FillOptions } from '../fill-options.ts';
import { openBaseFace } from '../fonts/base-face.ts';
import { type FontKit, faceSource } from '../fonts/font-kit.ts';
import { openSourceFace } from '../fonts/source-face.ts';
import { compileBarcodeOverlay } from '../kinds/barcode/draw.ts';
import { compileCheckOverlay } from '../kinds/check/draw.ts';
import { compileQrOverlay } from '../kinds/qr/draw.ts';
import { compileSignatureOverlay } from '../kinds/signature/draw.ts';
import { compileStickerOverlay } from '../kinds/sticker/draw.ts';
import { compileTextOverlay } from '../kinds/text/draw.ts';
import type { Layout, Overlay } from '../package/layout-schema.ts';
import type { DisplayedPage } from '../prepare/page-geometry.ts';
import type { SlotTags } from '../prepare/prepared-base.ts';
import type { DecimalSigns } from '../values/decimal-signs.ts';
import { compileShowIf } from '../values/show-if.ts';
import type { BaseResourceState } from './base-resources.ts';
import { type BarcodeEncoder, loadBarcodeEncoder } from './codes/barcode-encoder.ts';
import { type RowDrawer, rowDrawer } from './draw-row.ts';
import { opacityState } from './emit.ts';
import { looksLikePicture, type PictureSources, pictureFinder } from './images/picture-value.ts';
import { compilePicture, type Pictures } from './images/place-picture.ts';
import type { DrawnPage } from './lay-out-row.ts';
import { pageResources } from './page-resources.ts';
import type { PlaceOverlay } from './place-overlay.ts';
import { RowFontMaker } from './row-fonts.ts';
import { overlayTags } from './tagged-content.ts';
import { type TextFaces, textFaces } from './text/text-faces.ts';

/**
 * Compiles a layout against a prepared base. Left-out stickers are not compiled: they count as nothing. `tags` are
 * those of a tagged document, by page.
 */
export async function createRowDrawer(
  layout: Layout,
  sources: PictureSources,
  state: BaseResourceState,
  pages: readonly DisplayedPage[],
  options: Pick<FillOptions, 'includeStickers' | 'decimalSigns'>,
  kit: FontKit,
  tags: ReadonlyMap<number, SlotTags> = new Map(),
): Promise<RowDrawer> {
  const bases = new Map(state.faces.map((face, index) => [face.id, openBaseFace(face, `F${index}`)]));
  const sourceFaces = (state.source ?? []).map((face, index) => openSourceFace(face, `S${index}`));
  const faces = textFaces(kit.shaper, faceSource(kit, sources.assets), bases, layout.fonts, sourceFaces);
  const fontEntries = [...bases.values(), ...sourceFaces]
    .map(({ name, num }) => `/${name} ${num} 0 R`)
    .join('');
  const shared = new Map(
    state.pictures.map(({ value, width, height, orientation }, index) => [
      value,
      { name: `I${index}`, width, height, orientation },
    ]),
  );
  const pictureEntries = state.pictures.map(({ num }, index) => `/I${index} ${num} 0 R`).join('');
  const hasBarcodes = layout.overlays.some(({ type }) => type === 'barcode');
  const tools: DrawTools = {
    faces,
    pictures: {
      find: pictureFinder(sources),
      looksLike: (value) => looksLikePicture(value, sources),
      shared,
    },
    barcodes: hasBarcodes ? await loadBarcodeEncoder() : undefined,
    signs: options.decimalSigns,
  };
  const drawn = layout.overlays.filter((overlay) => overlay.type !== 'sticker' || options.includeStickers);
  // Grouped once: the widgets of a form are a page each, and there may be thousands.
  const byPage = [...Map.groupBy(drawn, ({ page }) => page)].sort(([a], [b]) => a - b);
  const drawnPages: DrawnPage[] = [];
  for (const [page, overlays] of byPage) {
    const size = pages[page - 1];
    if (size === undefined) continue;
    drawnPages.push({
      page,
      size,
      resources: pageResources(fontEntries, pictureEntries, statesOf(overlays)),
      tags: overlayTags(tags.get(page)),
      overlays: overlays.map((overlay) => ({
        id: overlay.id,
        shows: compileShowIf(overlay.show_if),
        place: compileOverlay(overlay, tools),
      })),
    });
  }
  const pageMissing = drawn.filter(({ page }) => page > pages.length).map(({ id, page }) => ({ id, page }));
  return rowDrawer({ pages: drawnPages, pageMissing, fonts: new RowFontMaker(kit.subsetter, bases) });
}

interface DrawTools {
  readonly faces: TextFaces;
  readonly pictures: Pictures;
  readonly barcodes: BarcodeEncoder | undefined;
  readonly signs: DecimalSigns | undefined;
}

/** Adding a kind of overlay: its schema, its file under overlays/, and its line here. */
function compileOverlay(overlay: Overlay, { faces, pictures, barcodes, signs }: DrawTools): PlaceOverlay {
  switch (overlay.type) {
    case 'text':
    case 'date':
      return compileTextOverlay(overlay, faces, signs);
    case 'qr':
      return compileQrOverlay(overlay, signs);
    case 'barcode':
      if (barcodes === undefined) throw new Error('bug: the barcode encoder was not loaded');
      return compileBarcodeOverlay(overlay, barcodes, signs, faces);
    case 'image':
      return compilePicture(overlay, overlay.value, pictures);
    case 'signature':
      return compileSignatureOverlay(overlay, pictures, faces);
    case 'check':
      return compileCheckOverlay(overlay);
    case 'sticker':
      return compileStickerOverlay(overlay, pictures, faces);
  }
}

function statesOf(overlays: readonly Overlay[]): string {
  const states = new Set(
    overlays.filter(({ opacity }) => opacity < 1).map(({ opacity }) => opacityState(opacity)),
  );
  return [...states].join('');
}
