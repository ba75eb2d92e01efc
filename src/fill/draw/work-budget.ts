/**
 * A row may ask only so much of the machine. The limit counts work, not time: a clock would make the result
 * depend on the machine, and a row's outcome must be a function of the row (FILL1). Each figure is far above any
 * honest page and keeps the worst row near a second: 200,000 glyphs are 40 pages of dense text, 1,000,000 modules are 31
 * QR codes of the largest size, 64 million pixels are eight photographs.
 */
export const ROW_BUDGET = { glyphs: 200_000, modules: 1_000_000, pixels: 64_000_000 } as const;

export type WorkKind = keyof typeof ROW_BUDGET;

export class WorkBudget {
  readonly #left: Record<WorkKind, number>;

  constructor(budget: Readonly<Record<WorkKind, number>> = ROW_BUDGET) {
    this.#left = { ...budget };
  }

  /** False once more was asked than the row may have; the row then fails with `ROW_TOO_COMPLEX`. */
  spend(kind: WorkKind, amount: number): boolean {
    this.#left[kind] -= amount;
    return this.#left[kind] >= 0;
  }
}
