import { describe, expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { mostPercent, moved, percentOf, withColumn, withPercent } from './edit-columns.ts';

const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  columns: ['Item', 'Price', 'Note'].map((label, index) => ({ key: `column_${index}`, label })),
});
const column = (header: string, key: string, width: number) =>
  ({ header, value: { column: key }, width, align: 'left', fit: 'wrap' }) as const;
const columns = [
  column('Item', 'column_0', 30),
  column('Price', 'column_1', 10),
  column('Sum', 'column_1', 20),
];
const percents = (list: typeof columns) => list.map((_, index) => percentOf(list, index));

describe('the columns of a table', () => {
  it('[EDT241] a width in percent: the other columns share the rest in their proportions', () => {
    expect(percents(columns)).toEqual([50, 16.7, 33.3]);
    expect(percents(withPercent(columns, 0, 70) as typeof columns)).toEqual([70, 10, 20]);
    expect(percents(withPercent(columns, 0, mostPercent(columns)) as typeof columns)).toEqual([98, 0.7, 1.3]);
  });

  it('[EDT241] a move: changes places with its neighbour, and stays at the ends', () => {
    const headers = (list: readonly { header: string }[]) => list.map(({ header }) => header);
    expect(headers(moved(columns, 0, 1))).toEqual(['Price', 'Item', 'Sum']);
    expect(headers(moved(columns, 2, -1))).toEqual(['Item', 'Sum', 'Price']);
    expect(moved(columns, 0, -1)).toBe(columns);
    expect(moved(columns, 2, 1)).toBe(columns);
  });

  it('[EDT241] a new column: shows the first column of the rows that the table does not show, else a fixed text', () => {
    const added = withColumn(layout, columns);
    expect(added[3]).toMatchObject({ header: 'Note', value: { column: 'column_2' }, width: 20 });
    expect(withColumn(layout, added)[4]).toMatchObject({ header: '', value: { static: '' } });
  });
});
