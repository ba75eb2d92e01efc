import type { FillOptions } from '#fill/fill-options.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { cellsOf } from './drawn-row-pdf.ts';
import { pagesPdf } from './page-sources.ts';
import { prepareForTest } from './prepared.ts';

export const column = (key: string, more: object = {}) => ({ value: { column: key }, ...more });
export const table = (more: object = {}) => ({
  id: 'items',
  type: 'table' as const,
  page: 1,
  x: 50,
  y: 100,
  width: 400,
  height: 100,
  size: 10,
  padding: 3,
  columns: [
    column('column_1', { header: 'Item', width: 300 }),
    column('column_2', { header: 'Amount', width: 100, align: 'right', format: { number: '#,##0.00' } }),
  ],
  ...more,
});

/** A group of this many rows, numbered from 1. */
export const group = (count: number, value = (n: number) => [`Item ${n}`, `${n}.5`]) =>
  new GroupCells(
    Array.from({ length: count }, (_, n) => ({ number: n + 1, cells: cellsOf('R-1', ...value(n + 1)) })),
  );

export async function filled(
  overlays: readonly object[],
  { pages = 1, ...options }: Partial<FillOptions> & { pages?: number } = {},
) {
  const layout = { overlays: overlays as never };
  const source = pagesPdf(Array.from({ length: pages }, () => ({})));
  const { base, filler } = await prepareForTest(source, layout, { groupBy: ['column_0'], ...options });
  return {
    base,
    filler,
    fill: (cells: GroupCells) => {
      const { tail, result } = filler.fill(1, cells);
      return { result, pdf: tail === null ? new Uint8Array() : Buffer.concat([base.bytes, tail]) };
    },
  };
}
