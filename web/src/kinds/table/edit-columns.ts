import type { TableColumn, TableOverlay } from '#fill/kinds/table/schema.ts';
import type { Layout } from '#fill/package/layout-schema.ts';
import { columnName, columnsIn } from '../../core/overlays/value-words.ts';

/** Changes of a table's columns. The widths are shares; the inspector shows them as percentages of the table's width. */

type Columns = TableOverlay['columns'];

const PERCENT = 100;
/** Shares of less are too narrow for text and are hard to find again. */
export const LEAST_PERCENT = 1;

export const sumOf = (columns: Columns): number => columns.reduce((sum, { width }) => sum + width, 0);

/** The widths as percentages with one decimal. */
export const percentOf = (columns: Columns, index: number): number =>
  round(((columns[index]?.width ?? 0) / sumOf(columns)) * PERCENT);

const round = (value: number) => Math.round(value * 10) / 10;

/** The largest percentage of one column: the others keep the least one. */
export const mostPercent = (columns: Columns): number =>
  columns.length === 1 ? PERCENT : PERCENT - (columns.length - 1) * LEAST_PERCENT;

/** Gives one column this percentage of the table's width. The others share the rest in their present proportions. */
export function withPercent(columns: Columns, index: number, percent: number): TableColumn[] {
  const others = sumOf(columns) - (columns[index]?.width ?? 0);
  return columns.map((column, place) => ({
    ...column,
    width: place === index ? percent : Math.max(0.1, (column.width / others) * (PERCENT - percent)),
  }));
}

/** Moves a column by one place; the same list if it cannot move. */
export function moved(columns: Columns, index: number, by: 1 | -1): Columns {
  const column = columns[index];
  const to = index + by;
  if (column === undefined || to < 0 || to >= columns.length) return columns;
  const rest = columns.filter((_, place) => place !== index);
  return [...rest.slice(0, to), column, ...rest.slice(to)];
}

/** Adds a column as wide as the average. It shows the first column of the rows that the table does not show yet. */
export function withColumn(layout: Layout, columns: Columns): TableColumn[] {
  const shown = new Set(columns.flatMap(({ value }) => columnsIn(value)));
  const key = layout.columns.find((column) => !shown.has(column.key))?.key;
  return [
    ...columns,
    {
      header: key === undefined ? '' : columnName(layout, key),
      value: key === undefined ? { static: '' } : { column: key },
      width: sumOf(columns) / columns.length,
      align: 'left',
      fit: 'wrap',
    },
  ];
}
