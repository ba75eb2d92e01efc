import type { PreparedItem } from './prepare-items.ts';

/** The outcome of one item that passed every rule. */
export interface Applied {
  readonly accepted: boolean;
  readonly internalId: string;
  /** Not accepted because the credential may not change the stored item. */
  readonly foreign?: boolean;
}

/**
 * The outcomes of a batch. In a first load usually every item is new, with the id it was prepared with; this case is
 * stored as one flag. Single outcomes are computed when they are read.
 */
export class AppliedItems {
  readonly allNew: boolean;
  #outcomes: Map<number, Applied> | undefined;
  readonly #items: readonly PreparedItem[];

  constructor(items: readonly PreparedItem[], outcomes?: Map<number, Applied>) {
    this.#items = items;
    this.#outcomes = outcomes;
    this.allNew = outcomes === undefined;
  }

  get(ordinal: number): Applied | undefined {
    this.#outcomes ??= new Map(
      this.#items.map(({ ordinal: at, internalId }) => [at, { accepted: true, internalId }]),
    );
    return this.#outcomes.get(ordinal);
  }

  /** Number of accepted items. The others are replays, or the credential may not change them. */
  countAccepted(): number {
    if (this.allNew || this.#outcomes === undefined) return this.#items.length;
    let accepted = 0;
    for (const outcome of this.#outcomes.values()) if (outcome.accepted) accepted += 1;
    return accepted;
  }
}
