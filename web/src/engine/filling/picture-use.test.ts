import { expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import type { OpenRows } from '../rows/open-rows.ts';
import { pictureUse } from './picture-use.ts';

const box = { page: 1, x: 0, y: 0, width: 9, height: 9 };
const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  overlays: [
    { ...box, id: 'a', type: 'image', value: { column: 'column_0' } },
    { ...box, id: 'b', type: 'signature', value: { column: 'column_1' } },
    { ...box, id: 'c', type: 'text', value: { column: 'column_2' } },
  ],
});
const rowsOf = (...lines: readonly (readonly string[])[]) => {
  const engineCells = (row: number) =>
    new Map((lines[row - 1] ?? []).map((cell, index) => [`column_${index}`, cell] as const));
  return { info: { rowCount: lines.length }, engineCells } as unknown as OpenRows;
};

it('[EDT51] names in the rows: used and missing ones are counted as the engine finds them', async () => {
  const rows = rowsOf(
    ['x/ada.png', 'Ada', 'text.png'],
    ['gone.png', 'gone.png'],
    ['stamp.png', 'kurt.jpg'],
    ['', ''],
    ['iVBORw0KGgo=', 'Kurt'],
    ['gone.png', ''],
  );
  const names = ['ada.png', 'kurt.jpg', 'other.png'];
  const use = await pictureUse(layout, names, ['assets/stamp.png'], rows, new AbortController().signal);
  expect(use).toEqual({
    used: 2,
    missing: [{ name: 'gone.png', rows: 3, firstRow: 2 }],
    missingCount: 1,
  });
});
