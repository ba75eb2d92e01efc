/** A surrogate or a character above the surrogates: only for these do UTF-16 and UTF-8 sort differently. */
const BEYOND = /[\ud800-\uffff]/;

interface Keyed {
  readonly sourceId: string;
}

/** Sorts by the database's key order: by UTF-8 bytes (collation "C"). Equal keys keep their order. */
export function inKeyOrder<Item extends Keyed>(items: readonly Item[]): Item[] {
  const byBytes = items.some(({ sourceId }) => BEYOND.test(sourceId));
  return [...items].sort(
    byBytes
      ? (a, b) => Buffer.compare(Buffer.from(a.sourceId), Buffer.from(b.sourceId))
      : (a, b) => (a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : 0),
  );
}

/** Whether all keys are unique among items in key order. */
export function areDistinct(ordered: readonly Keyed[]): boolean {
  return ordered.every((item, at) => item.sourceId !== ordered[at + 1]?.sourceId);
}
