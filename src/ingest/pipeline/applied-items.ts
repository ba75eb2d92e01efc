import type { PreparedItem } from './prepare-items.ts';

/** What became of one item that passed every rule. */
export interface Applied {
  readonly accepted: boolean;
  readonly internalId: string;
  /** Not accepted because the credential may not change the stored item. */
  readonly foreign?: boolean;
}

/**
 * What became of a batch. That every item is new, with the id it was prepared with, is the usual case of a first
 * load and is kept as that one fact; outcomes one by one are made for those who ask.
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

  /** How many were accepted; the others are replays, or not the credential's to change. */
  countAccepted(): number {
    if (this.allNew || this.#outcomes === undefined) return this.#items.length;
    let accepted = 0;
    for (const outcome of this.#outcomes.values()) if (outcome.accepted) accepted += 1;
    return accepted;
  }
}
