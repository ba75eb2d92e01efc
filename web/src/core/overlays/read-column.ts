import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { columnName, columnsIn } from './value-words.ts';

/** The overlay reading this column instead of what it read before. A table shows the column in addition to its others. */
export function readColumn(layout: Layout, overlay: Overlay, key: string): Overlay {
  if (overlay.type !== 'table') return { ...overlay, value: { column: key } };
  if (overlay.columns.some(({ value }) => columnsIn(value).includes(key))) return overlay;
  const added = {
    header: columnName(layout, key),
    value: { column: key },
    width: 100,
    align: 'left',
    fit: 'wrap',
  } as const;
  // The columns of a new table are examples.
  const kept = overlay.columns.filter(({ value }) => !('static' in value) || value.static !== '');
  return { ...overlay, columns: [...kept, added] };
}
