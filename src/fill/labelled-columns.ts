import type { LabelledColumn } from '#lib/rows/labelled-rows.ts';
import type { FillOptions } from './fill-options.ts';
import { mappedColumns } from './mapped-columns.ts';
import type { Layout } from './package/layout-schema.ts';

/** The columns that rows are matched to by label: those that the layout declares, and those it uses, in the order of their positions. */
export function labelledColumns(
  layout: Layout,
  options: Pick<FillOptions, 'includeStickers'>,
): readonly LabelledColumn[] {
  const used = new Set(mappedColumns(layout, options));
  const labels = new Map(layout.columns.map(({ key, label }) => [key, label]));
  const position = (key: string) => Number(key.slice('column_'.length));
  return [...new Set([...labels.keys(), ...used])]
    .sort((a, b) => position(a) - position(b))
    .map((key) => ({ key, label: labels.get(key) ?? '', used: used.has(key) }));
}
