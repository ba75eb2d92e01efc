import type { DisplayedPage } from '../prepare/page-geometry.ts';
import type { RowCells } from '../rows/row-cells.ts';
import type { RowError, RowWarning } from '../rows/row-outcome.ts';
import { ROW_BUDGET, WorkBudget } from '../rows/work-budget.ts';
import type { ObjectNumbers, PdfObject } from '../write/tail-object.ts';
import { ContentWriter } from './content-writer.ts';
import type { DisplayItem, PageDisplayList } from './display-list.ts';
import { emitItems } from './emit.ts';
import type { PlaceOverlay, RowContext } from './overlays/place-overlay.ts';
import { type PageResources, resourcesText } from './page-resources.ts';
import type { RowFontMaker, RowFonts } from './row-fonts.ts';
import { RowImages } from './row-images.ts';

/**
 * Draws the overlays of a row: each puts items on its page's display list, the row's own fonts are cut, and the lists
 * become content streams. Nothing of one row reaches the next except memos of pure functions.
 */
export interface RowDrawer {
  draw(cells: RowCells, numbers: ObjectNumbers): RowDrawing;
  /** The same row as data instead of bytes. */
  layOut(cells: RowCells): readonly PageDisplayList[];
}

export interface RowDrawing {
  /** One for each page that overlays stand on, in page order. */
  readonly slots: readonly SlotDrawing[];
  /** Fonts and images that travel with this row. */
  readonly objects: readonly PdfObject[];
  readonly warnings: readonly RowWarning[];
  readonly applied: number;
  readonly skipped: number;
  readonly error: RowError | null;
}

export interface SlotDrawing {
  /** From 1. */
  readonly page: number;
  /** Valid until the next call of `draw`: the buffer is reused. */
  readonly content: Uint8Array;
  /** A /Resources dictionary as text. */
  readonly resources: string;
}

/** An overlay made ready for drawing (create-row-drawer.ts). */
export interface ReadyOverlay {
  readonly id: string;
  readonly shows: (cells: RowCells) => boolean;
  readonly place: PlaceOverlay;
}

export interface DrawnPage {
  readonly page: number;
  readonly size: DisplayedPage;
  readonly overlays: readonly ReadyOverlay[];
  readonly resources: PageResources;
}

export interface DrawPlan {
  readonly pages: readonly DrawnPage[];
  /** Overlays on pages the source does not have: skipped in every row. */
  readonly pageMissing: readonly { readonly id: string; readonly page: number }[];
  readonly fonts: RowFontMaker;
}

/** Ends the drawing of a row that asks for more work than a row may have. */
class RowTooComplex extends Error {}

interface LaidOut {
  readonly lists: PageDisplayList[];
  readonly fonts: RowFonts;
  readonly images: RowImages;
  readonly warnings: RowWarning[];
  applied: number;
  skipped: number;
}

export function rowDrawer(plan: DrawPlan): RowDrawer {
  const writer = new ContentWriter();
  return {
    layOut: (cells) => layOutRow(plan, cells).lists,
    draw: (cells, numbers) => {
      let row: LaidOut;
      try {
        row = layOutRow(plan, cells);
      } catch (error) {
        if (error instanceof RowTooComplex) return tooComplex(error.message);
        throw error;
      }
      return writeRow(plan, row, writer, numbers);
    },
  };
}

function layOutRow(plan: DrawPlan, cells: RowCells): LaidOut {
  const warnings: RowWarning[] = [];
  const budget = new WorkBudget();
  const row: LaidOut = {
    lists: [],
    fonts: plan.fonts.begin(),
    images: new RowImages(),
    warnings,
    applied: 0,
    skipped: 0,
  };
  let overlayId = '';
  let items: DisplayItem[] = [];
  const context: RowContext = {
    fonts: row.fonts,
    images: row.images,
    get items() {
      return items;
    },
    spend: (kind, amount) => {
      if (budget.spend(kind, amount)) return;
      throw new RowTooComplex(`The row asks for more than ${ROW_BUDGET[kind]} ${kind}.`);
    },
    note: (code, message) => warnings.push({ code, message, overlay_id: overlayId }),
  };
  for (const { page, overlays } of plan.pages) {
    items = [];
    for (const overlay of overlays) {
      overlayId = overlay.id;
      const skip = overlay.shows(cells) ? overlay.place(cells, context) : null;
      if (skip === null) {
        row.applied += 1;
      } else {
        row.skipped += 1;
        warnings.push({ code: skip.code, message: skip.message, overlay_id: overlayId });
      }
    }
    row.lists.push({ page, items });
  }
  for (const { id, page } of plan.pageMissing) {
    row.skipped += 1;
    warnings.push({ code: 'PAGE_MISSING', message: `The PDF has no page ${page}.`, overlay_id: id });
  }
  return row;
}

function writeRow(plan: DrawPlan, row: LaidOut, writer: ContentWriter, numbers: ObjectNumbers): RowDrawing {
  const fonts = row.fonts.finish(() => numbers);
  const images = row.images.finish(() => numbers);
  const objects =
    fonts.length === 0 ? images.objects : [...fonts.flatMap((font) => font.objects), ...images.objects];
  let fontEntries = '';
  for (const font of fonts) fontEntries += `/${font.name} ${font.num} 0 R`;
  writer.clear();
  const ends: number[] = [];
  row.lists.forEach(({ items }, index) => {
    emitItems(writer, items, plan.pages[index]?.size.height ?? 0, row.fonts);
    ends.push(writer.length);
  });
  let from = 0;
  const slots = row.lists.map(({ page }, index) => {
    const to = ends[index] ?? from;
    const content = writer.bytes.subarray(from, to);
    from = to;
    const shared = plan.pages[index]?.resources;
    return { page, content, resources: resourcesText(shared, fontEntries, images.entries) };
  });
  const { warnings, applied, skipped } = row;
  return { slots, objects, warnings, applied, skipped, error: null };
}

function tooComplex(message: string): RowDrawing {
  const error: RowError = { code: 'ROW_TOO_COMPLEX', message };
  return { slots: [], objects: [], warnings: [], applied: 0, skipped: 0, error };
}
