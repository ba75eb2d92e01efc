/** Counts of items in the console stop here. A collection can hold millions, and reading all of them takes seconds. */
export const COUNTED_ITEMS = 10_000;
