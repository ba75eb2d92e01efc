import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { columnName, columnsIn } from './value-words.ts';

/** The overlay reading this column instead of what it read before. A table shows the column in addition to its others. */
export function readColumn(layout: Layout, overlay: Overlay, key: string): Overlay {
  if (overlay.type !== 'table') return { ...overlay, value: { column: key } };
  if (overlay.columns.some(({ value }) => columnsIn(value).includes(key))) return overlay;
  // The columns of a table that was made without rows are examples.
  const kept = overlay.columns.filter(({ value }) => !('static' in value) || value.static !== '');
  const total = kept.reduce((sum, { width }) => sum + width, 0);
  const added = {
    header: columnName(layout, key),
    value: { column: key },
    width: kept.length === 0 ? 100 : total / kept.length,
    align: 'left',
    fit: 'wrap',
  } as const;
  return { ...overlay, columns: [...kept, added] };
}
