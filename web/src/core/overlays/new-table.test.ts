import { describe, expect, it } from 'vitest';
import { tableTraits } from '#fill/kinds/table/traits.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { ColumnCounter } from '../columns/column-facts.ts';
import { addCopies } from './copies.ts';
import { newOverlay } from './new-overlay.ts';
import { newTableColumns, placedOn } from './new-table.ts';

const LABELS = ['Invoice', 'Item', 'Quantity', 'Amount', 'Note', 'Weight', 'Bin'];
const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  columns: LABELS.map((label, index) => ({ key: `column_${index}`, label })),
});
const CELLS = ['R-1001', 'Writing paper, cream, 100 g', '16', '67.20', '', '0', ''];
const facts = CELLS.map((cell) => {
  const counter = new ColumnCounter();
  counter.see(cell);
  return counter.facts();
});
const samples = { cells: CELLS, facts };
const headers = (width: number) => newTableColumns(layout, width, samples).map(({ header }) => header);
const at = { page: 1, x: 50, y: 100 };
const size = { width: 480, height: 300 };

describe('a new table', () => {
  it('[EDT240] a drawn box: shows the first columns of the rows, as many as it has room for', () => {
    expect(headers(480)).toEqual(LABELS.slice(0, 6));
    expect(headers(250)).toEqual(LABELS.slice(0, 4));
    expect(headers(10)).toEqual(['Invoice']);
  });

  it('[EDT240] its columns: are as wide as their text needs, and numbers are on the right', () => {
    const columns = newTableColumns(layout, 250, samples);
    expect(columns.map(({ align }) => align)).toEqual(['left', 'left', 'right', 'right']);
    expect(columns[1]?.width).toBeGreaterThan((columns[0]?.width ?? 0) * 3);
    expect(columns.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100, 0);
  });

  it('[EDT240] without rows: shows example columns', () => {
    const table = newOverlay({ ...layout, columns: [] }, 'table', at, { size });
    expect(table).toMatchObject({ columns: tableTraits.defaults.columns, ...size });
  });

  it('[EDT240] a second table: has the style of the first, but its own columns and pages', () => {
    const first = newOverlay(layout, 'table', at, { size, samples });
    if (first.type !== 'table') throw new Error('bug: another kind');
    const styled = { ...first, stripe: '#eef3f8', continue_on: 2, columns: first.columns.slice(1, 2) };
    const second = newOverlay({ ...layout, overlays: [styled] }, 'table', at, { size, samples });
    expect(second).toMatchObject({ stripe: '#eef3f8', columns: first.columns });
    expect(second).not.toHaveProperty('continue_on');
    expect(layoutSchema.safeParse({ ...layout, overlays: [second] }).success).toBe(true);
  });

  it('[EDT240] a table moved behind the page on which it continues: repeats its own page', () => {
    const table = { ...newOverlay(layout, 'table', at, { size, samples }), continue_on: 2 };
    expect(placedOn(table, 3)).toEqual({ page: 3, continue_on: 3 });
    expect(placedOn(table, 2)).toEqual({ page: 2 });
    const copied = addCopies(layout, [table], () => ({ page: 4, shift: { x: 0, y: 0 } })).layout;
    expect(copied.overlays[0]).toMatchObject({ page: 4, continue_on: 4 });
    expect(layoutSchema.safeParse(copied).success).toBe(true);
  });
});
