import type { DisplayedPage } from '../prepare/page-geometry.ts';
import { RowNotes } from '../results/row-notes.ts';
import type { RowError, RowWarning } from '../results/row-outcome.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { DisplayItem, PageDisplayList } from './display-list.ts';
import type { PageResources } from './page-resources.ts';
import type { PlaceOverlay, RowContext } from './place-overlay.ts';
import type { RowFontMaker, RowFonts } from './row-fonts.ts';
import { RowImages } from './row-images.ts';
import type { OverlayTags } from './tagged-content.ts';
import { ITEM_MARKS, ROW_BUDGET, WorkBudget, type WorkKind } from './work-budget.ts';

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
  /** Ids of the tables that begin on this page. Repetitions of the page do not show their beginning again. */
  readonly tables: ReadonlySet<string>;
  /** Only tables of earlier pages continue here: without any such rows, the document does not have the page. */
  readonly isOnlyContinued: boolean;
}

/** A repetition of a page, after the page itself. */
export interface PageRepetition {
  /** Index among the pages of the plan. */
  readonly index: number;
  readonly items: readonly DisplayItem[];
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
  /** The column whose cell is the error, if one is. */
  readonly errorColumn?: string | undefined;
  /** Pages that are repeated for tables, in page order. */
  readonly repetitions: readonly PageRepetition[];
  /** Pages that the document does not have. */
  readonly dropped: readonly number[];
  /** Whether a table continues on a further page. */
  readonly isContinued: boolean;
}

/** A row layout with the fonts and images that the row embeds. */
export interface LaidOutRow extends RowLayout {
  readonly fonts: RowFonts;
  readonly images: RowImages;
}

/** Thrown to stop laying out a row as soon as it has failed. */
class RowFailed extends Error {
  readonly error: RowError;
  readonly column: string | undefined;

  constructor(error: RowError, column?: string) {
    super(error.message);
    this.error = error;
    this.column = column;
  }
}

export function layOutRow(plan: DrawPlan, cells: RowCells): LaidOutRow {
  const fonts = plan.fonts.begin();
  const images = new RowImages();
  try {
    return { ...placeOverlays(plan, cells, fonts, images), error: null, fonts, images };
  } catch (failure) {
    if (!(failure instanceof RowFailed)) throw failure;
    const { error, column } = failure;
    return { ...NOTHING_PLACED, error, errorColumn: column, fonts, images };
  }
}

const NOTHING_PLACED = {
  pages: [],
  repetitions: [],
  dropped: [],
  isContinued: false,
  warnings: [],
  applied: 0,
  skipped: 0,
};

/** The state of a row while its overlays are placed, one after another. */
class RowInProgress implements RowContext {
  readonly fonts: RowFonts;
  readonly images: RowImages;
  readonly warnings: RowWarning[] = [];
  readonly rowNotes = new RowNotes(this.warnings);
  items: DisplayItem[] = [];
  overlayId = '';
  readonly #budget = new WorkBudget();
  /** Items of tables on their further pages: by page, then by repetition; the first is the page itself. */
  readonly continued = new Map<number, DisplayItem[][]>();
  readonly silent = { note: () => undefined };
  page = 0;
  /** Glyphs and modules so far. A repetition of a page writes those of its overlays again; pictures are shared. */
  written = 0;

  constructor(fonts: RowFonts, images: RowImages) {
    this.fonts = fonts;
    this.images = images;
  }

  spend(kind: WorkKind, amount: number): void {
    if (kind === 'glyphs' || kind === 'modules') this.written += amount;
    if (this.#budget.spend(kind, amount)) return;
    this.fail({
      code: 'ROW_TOO_COMPLEX',
      message: `The row asks for more than ${ROW_BUDGET[kind]} ${kind}.`,
    });
  }

  note(code: RowWarning['code'], message: string): void {
    this.warnings.push({ code, message, overlay_id: this.overlayId });
  }

  atRow(number: number | undefined): Pick<RowContext, 'note' | 'spend'> {
    let noted: Set<string> | undefined;
    return {
      note: (code, message) => {
        const key = `${code} ${message}`;
        if (noted?.has(key)) return;
        noted = (noted ?? new Set()).add(key);
        const note = { code, message, overlay_id: this.overlayId };
        this.rowNotes.add(
          number === undefined
            ? note
            : { ...note, message: `Row ${number}: ${message}`, input_row_number: number },
        );
      },
      spend: (kind, amount) => this.spend(kind, amount),
    };
  }

  continuation(page: number, n: number): DisplayItem[] {
    const repetitions = this.continued.get(page) ?? [];
    this.continued.set(page, repetitions);
    // A table that continues on its own page needs a repetition at once; on another page, the page itself comes first.
    const index = page === this.page ? n : n - 1;
    while (repetitions.length <= index) repetitions.push([]);
    return repetitions[index] as DisplayItem[];
  }

  fail(error: RowError, column?: string): never {
    throw new RowFailed(error, column);
  }
}

function placeOverlays(plan: DrawPlan, cells: RowCells, fonts: RowFonts, images: RowImages) {
  const pages: PageDisplayList[] = [];
  const row = new RowInProgress(fonts, images);
  const { warnings } = row;
  let applied = 0;
  let skipped = 0;
  const repetitions: PageRepetition[] = [];
  const dropped: number[] = [];
  for (const [index, { page, overlays, tables, isOnlyContinued }] of plan.pages.entries()) {
    row.items = [];
    row.page = page;
    if (isOnlyContinued && !row.continued.has(page)) {
      applied += overlays.length;
      dropped.push(page);
      pages.push({ page, items: [] });
      continue;
    }
    let repeatedWork = 0;
    for (const overlay of overlays) {
      const before = row.written;
      row.overlayId = overlay.id;
      const skip = overlay.shows(cells) ? overlay.place(cells, row) : null;
      if (skip === null) {
        applied += 1;
      } else {
        skipped += 1;
        row.note(skip.code, skip.message);
      }
      if (!tables.has(overlay.id)) repeatedWork += row.written - before + ITEM_MARKS;
    }
    const continued = row.continued.get(page);
    const repeated = continued && row.items.filter(({ overlayId }) => !tables.has(overlayId));
    pages.push({
      page,
      items: continued === undefined ? row.items : [...row.items, ...(continued[0] ?? [])],
    });
    const further = continued?.slice(1) ?? [];
    row.spend('table marks', further.length * repeatedWork);
    for (const items of further) repetitions.push({ index, items: [...(repeated ?? []), ...items] });
  }
  row.rowNotes.finish();
  for (const { id, page } of plan.pageMissing) {
    skipped += 1;
    warnings.push({ code: 'PAGE_MISSING', message: `The PDF has no page ${page}.`, overlay_id: id });
  }
  const isContinued = row.continued.size > 0;
  return { pages, repetitions, dropped, isContinued, warnings, applied, skipped };
}
