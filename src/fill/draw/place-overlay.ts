import type { NoteCode, SkipCode } from '../results/row-outcome.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { DisplayItem } from './display-list.ts';
import type { RowFonts } from './row-fonts.ts';
import type { RowImages } from './row-images.ts';
import type { WorkKind } from './work-budget.ts';

/** What an overlay may do while its row is laid out. */
export interface RowContext {
  readonly fonts: RowFonts;
  readonly images: RowImages;
  readonly items: DisplayItem[];
  /** Counts work; a row that asks for too much ends with `ROW_TOO_COMPLEX`. */
  spend(kind: WorkKind, amount: number): void;
  note(code: NoteCode, message: string): void;
}

/** An overlay that was not drawn, and why. */
export interface Skip {
  readonly code: SkipCode;
  readonly message: string;
}

/**
 * A compiled overlay: puts its items on the display list, or says why it cannot. Everything that does not depend on
 * the row has been worked out before.
 */
export type PlaceOverlay = (cells: RowCells, row: RowContext) => Skip | null;
