import type { FillOptions } from '../fill-options.ts';
import { openBaseFace } from '../fonts/base-face.ts';
import { type FontKit, faceSource } from '../fonts/font-kit.ts';
import { openSourceFace } from '../fonts/source-face.ts';
import { continuedPages, isDrawn, isTable, kindOf } from '../kinds/kind-of.ts';
import type { Layout, Overlay } from '../package/layout-schema.ts';
import type { DisplayedPage } from '../prepare/page-geometry.ts';
import type { SlotTags } from '../prepare/prepared-base.ts';
import { columnReadings } from '../values/column-readings.ts';
import { compileShowIf } from '../values/show-if.ts';
import type { BaseResourceState } from './base-resources.ts';
import { type RowDrawer, rowDrawer } from './draw-row.ts';
import type { DrawTools } from './draw-tools.ts';
import { opacityState } from './emit.ts';
import { looksLikePicture, type PictureSources, pictureFinder } from './images/picture-value.ts';
import type { DrawnPage, ReadyOverlay } from './lay-out-row.ts';
import { pageResources } from './page-resources.ts';
import { RowFontMaker } from './row-fonts.ts';
import { overlayTags } from './tagged-content.ts';
import { textFaces } from './text/text-faces.ts';

/**
 * Compiles a layout against a prepared base. Stickers that the run leaves out are not compiled and not counted. `tags` are
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
  const drawn = layout.overlays.filter((overlay) => isDrawn(overlay, options));
  const tools: DrawTools = {
    faces,
    overlays: drawn,
    pictures: {
      find: pictureFinder(sources),
      looksLike: (value) => looksLikePicture(value, sources),
      shared,
    },
    readings: columnReadings(layout, options.decimalSigns),
    pageCount: pages.length,
  };
  // Grouped once: each widget of a form is a page, and there may be thousands.
  const grouped = Map.groupBy(drawn, ({ page }) => page);
  const continued = continuedPages(drawn);
  for (const page of continued) if (!grouped.has(page)) grouped.set(page, []);
  const byPage = [...grouped].sort(([a], [b]) => a - b);
  const drawnPages: DrawnPage[] = [];
  for (const [page, overlays] of byPage) {
    const size = pages[page - 1];
    if (size === undefined) continue;
    const ready: ReadyOverlay[] = [];
    for (const overlay of overlays) {
      const compiled = kindOf(overlay).compile(overlay, tools);
      ready.push({
        id: overlay.id,
        shows: compileShowIf(overlay.show_if),
        // Most kinds compile synchronously. Awaiting them too would cost a turn for each of ten thousand form fields.
        place: compiled instanceof Promise ? await compiled : compiled,
      });
    }
    const tables = new Set(overlays.filter(isTable).map(({ id }) => id));
    drawnPages.push({
      page,
      tables,
      isOnlyContinued: tables.size === 0 && continued.has(page),
      size,
      resources: pageResources(
        fontEntries,
        pictureEntries,
        statesOf([...overlays, ...continuing(drawn, page)]),
      ),
      tags: overlayTags(tags.get(page)),
      overlays: ready,
    });
  }
  const pageMissing = drawn.filter(({ page }) => page > pages.length).map(({ id, page }) => ({ id, page }));
  return rowDrawer({ pages: drawnPages, pageMissing, fonts: new RowFontMaker(kit.subsetter, bases) });
}

/** Tables that continue on this page. */
function continuing(overlays: readonly Overlay[], page: number): readonly Overlay[] {
  return overlays.filter((overlay) => isTable(overlay) && overlay.continue_on === page);
}

function statesOf(overlays: readonly Overlay[]): string {
  const states = new Set(
    overlays.filter(({ opacity }) => opacity < 1).map(({ opacity }) => opacityState(opacity)),
  );
  return [...states].join('');
}
