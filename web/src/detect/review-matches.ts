import type { Layout } from '#fill/package/layout-schema.ts';
import { matchNames, type NameMatch } from '../core/detect/match-names.ts';
import { columnIndex } from '../core/overlays/value-words.ts';
import type { ReviewItem } from './detect-store.ts';

/** The column of each item: a person's choice, or the match of its name. */
export function columnsOf(
  items: readonly ReviewItem[],
  layout: Layout,
  columnCount: number,
): readonly (NameMatch | null)[] {
  const columns = layout.columns.filter(({ key }) => columnIndex(key) < columnCount);
  const matches = matchNames(
    items.map(({ name }) => name),
    columns,
  );
  return items.map(({ column }, index) => {
    if (column === undefined) return matches[index] ?? null;
    return column === null ? null : { column, guess: false };
  });
}
