import type { NoteCode, RowError, SkipCode } from '../results/row-outcome.ts';
import type { RowCells } from '../values/row-cells.ts';
import type { DisplayItem } from './display-list.ts';
import type { RowFonts } from './row-fonts.ts';
import type { RowImages } from './row-images.ts';
import type { WorkKind } from './work-budget.ts';

/** The row that an overlay is placed on. */
export interface RowContext {
  readonly fonts: RowFonts;
  readonly images: RowImages;
  readonly items: DisplayItem[];
  /** Counts work. A row that exceeds its budget fails with `ROW_TOO_COMPLEX`. */
  spend(kind: WorkKind, amount: number): void;
  note(code: NoteCode, message: string): void;
  /** Id of the overlay that is being placed. */
  readonly overlayId: string;
  /**
   * The work and the notes of one row of a table. Equal notes are one, and a note carries the number of its row in the input, if
   * there is one. A document lists a limited number of these notes.
   */
  atRow(number: number | undefined): Pick<RowContext, 'note' | 'spend'>;
  /** Drops notes, for a value that is read again. */
  readonly silent: Pick<RowContext, 'note'>;
  /** The items of the overlay on its n-th page after the first (from 1), a repetition of `page`. */
  continuation(page: number, n: number): DisplayItem[];
  /** Fails the row, because of a cell of `column` if it is given. */
  fail(error: RowError, column?: string): never;
}

/** The reason why an overlay was not drawn. */
export interface Skip {
  readonly code: SkipCode;
  readonly message: string;
}

/**
 * A compiled overlay. Adds its items to the display list, or returns the reason why it cannot. Everything that does not
 * depend on the row was computed before.
 */
export type PlaceOverlay = (cells: RowCells, row: RowContext) => Skip | null;
