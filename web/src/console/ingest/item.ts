import type { History } from '#ingest/contract.ts';

/** One change of an item. */
export type Change = History['data'][number];

/** Returns the names of the members that a change modified. */
export function changedMembers({ before, after }: Pick<Change, 'before' | 'after'>): readonly string[] {
  if (before === null || after === null) return [];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}
