/**
 * Limits the work of one row. The limits count work, not time: with a clock, the outcome would depend on the machine, but it
 * must depend on the row alone (FILL1). Each limit is far above any real page and keeps the worst row near a second: 200,000
 * glyphs are 40 pages of dense text, 1,000,000 modules are 31 QR codes of the largest size, and 64 million pixels are eight
 * photographs. Table marks count what tables cost beside their text, and what they repeat: 5,000 rows of 10 columns on 150
 * pages are 170,000 marks.
 */
export const ROW_BUDGET = {
  glyphs: 200_000,
  modules: 1_000_000,
  pixels: 64_000_000,
  'table marks': 2_000_000,
} as const;

/** Table marks of a row without its cells, of an overlay on a repeated page without its glyphs, and of a page of a table. */
export const ITEM_MARKS = 10;
export const TABLE_PAGE_MARKS = 300;

export type WorkKind = keyof typeof ROW_BUDGET;

export class WorkBudget {
  readonly #left: Record<WorkKind, number>;

  constructor(budget: Readonly<Record<WorkKind, number>> = ROW_BUDGET) {
    this.#left = { ...budget };
  }

  /** Returns false when the budget is exceeded; the row then fails with `ROW_TOO_COMPLEX`. */
  spend(kind: WorkKind, amount: number): boolean {
    this.#left[kind] -= amount;
    return this.#left[kind] >= 0;
  }
}
