import { describe, expect, it } from 'vitest';
import { tableTraits } from '#fill/kinds/table/traits.ts';
import { textTraits } from '#fill/kinds/text/traits.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { readColumn } from './read-column.ts';

const place = { id: 'a', page: 1, x: 0, y: 0 };
const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  columns: [{ key: 'column_0', label: 'Item' }],
});

describe('a column on a field', () => {
  it('a text: reads the column', () => {
    const text = { ...textTraits.defaults, ...place };
    expect(readColumn(layout, text, 'column_0')).toMatchObject({ value: { column: 'column_0' } });
  });

  it('a table: shows the column once, named by its label, instead of the example columns', () => {
    const table = readColumn(layout, { ...tableTraits.defaults, ...place }, 'column_0');
    expect(table).toMatchObject({ columns: [{ header: 'Item', value: { column: 'column_0' } }] });
    expect(readColumn(layout, table, 'column_0')).toBe(table);
    expect(layoutSchema.safeParse({ ...layout, overlays: [table] }).success).toBe(true);
  });
});
