import type { DisplayedPage } from '../prepare/page-geometry.ts';
import type { RowError, RowWarning } from '../results/row-outcome.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { DisplayItem, PageDisplayList } from './display-list.ts';
import type { PageResources } from './page-resources.ts';
import type { PlaceOverlay, RowContext } from './place-overlay.ts';
import type { RowFontMaker, RowFonts } from './row-fonts.ts';
import { RowImages } from './row-images.ts';
import type { OverlayTags } from './tagged-content.ts';
import { ROW_BUDGET, WorkBudget, type WorkKind } from './work-budget.ts';

/** A compiled overlay (create-row-drawer.ts). */
export interface ReadyOverlay {
  readonly id: string;
  readonly shows: (cells: RowCells) => boolean;
  readonly place: PlaceOverlay;
}

export interface DrawnPage {
  /** From 1. */
  readonly page: number;
  readonly size: DisplayedPage;
  readonly overlays: readonly ReadyOverlay[];
  readonly resources: PageResources;
  /** Tags of the overlays in a tagged document, otherwise null. */
  readonly tags: OverlayTags | null;
}

export interface DrawPlan {
  readonly pages: readonly DrawnPage[];
  /** Overlays on pages that the source does not have. Every row skips them. */
  readonly pageMissing: readonly { readonly id: string; readonly page: number }[];
  readonly fonts: RowFontMaker;
}

/** The drawing of a row as data: one list for each page with overlays, in page order. */
export interface RowLayout {
  readonly pages: readonly PageDisplayList[];
  readonly warnings: readonly RowWarning[];
  readonly applied: number;
  readonly skipped: number;
  readonly error: RowError | null;
}

/** A row layout with the fonts and images that the row embeds. */
export interface LaidOutRow extends RowLayout {
  readonly fonts: RowFonts;
  readonly images: RowImages;
}

/** Ends the layout of a row that exceeds its work budget. */
class RowTooComplex extends Error {}

export function layOutRow(plan: DrawPlan, cells: RowCells): LaidOutRow {
  const fonts = plan.fonts.begin();
  const images = new RowImages();
  try {
    const { pages, warnings, applied, skipped } = placeOverlays(plan, cells, fonts, images);
    return { pages, warnings, applied, skipped, error: null, fonts, images };
  } catch (error) {
    if (!(error instanceof RowTooComplex)) throw error;
    const tooComplex: RowError = { code: 'ROW_TOO_COMPLEX', message: error.message };
    return { pages: [], warnings: [], applied: 0, skipped: 0, error: tooComplex, fonts, images };
  }
}

/** The state of a row while its overlays are placed, one after another. */
class RowInProgress implements RowContext {
  readonly fonts: RowFonts;
  readonly images: RowImages;
  readonly warnings: RowWarning[] = [];
  items: DisplayItem[] = [];
  overlayId = '';
  readonly #budget = new WorkBudget();

  constructor(fonts: RowFonts, images: RowImages) {
    this.fonts = fonts;
    this.images = images;
  }

  spend(kind: WorkKind, amount: number): void {
    if (this.#budget.spend(kind, amount)) return;
    throw new RowTooComplex(`The row asks for more than ${ROW_BUDGET[kind]} ${kind}.`);
  }

  note(code: RowWarning['code'], message: string): void {
    this.warnings.push({ code, message, overlay_id: this.overlayId });
  }
}

function placeOverlays(plan: DrawPlan, cells: RowCells, fonts: RowFonts, images: RowImages) {
  const pages: PageDisplayList[] = [];
  const row = new RowInProgress(fonts, images);
  const { warnings } = row;
  let applied = 0;
  let skipped = 0;
  for (const { page, overlays } of plan.pages) {
    row.items = [];
    for (const overlay of overlays) {
      row.overlayId = overlay.id;
      const skip = overlay.shows(cells) ? overlay.place(cells, row) : null;
      if (skip === null) {
        applied += 1;
      } else {
        skipped += 1;
        row.note(skip.code, skip.message);
      }
    }
    pages.push({ page, items: row.items });
  }
  for (const { id, page } of plan.pageMissing) {
    skipped += 1;
    warnings.push({ code: 'PAGE_MISSING', message: `The PDF has no page ${page}.`, overlay_id: id });
  }
  return { pages, warnings, applied, skipped };
}
