import type { Layout } from '../../../src/fill/package/layout-schema.ts';
import type { RowsInfo } from '../editor/project.ts';

const MAX_LABEL = 200;

/** A column for each of the file's; a header gives its label. Without a header, labels that somebody gave stay. */
export function withColumns(
  layout: Layout,
  rows: Pick<RowsInfo, 'header' | 'columnCount'>,
  replaced: boolean,
): Layout {
  const known = new Map(layout.columns.map(({ key, label }) => [key, label]));
  const columns = Array.from({ length: rows.columnCount }, (_, index) => {
    const key = `column_${index}`;
    const fromHeader = rows.header?.[index]?.trim().slice(0, MAX_LABEL);
    const kept = replaced && rows.header === null ? '' : (known.get(key) ?? '');
    return { key, label: fromHeader || kept };
  });
  const same =
    columns.length === layout.columns.length && columns.every(({ key, label }) => known.get(key) === label);
  return same ? layout : { ...layout, columns };
}
