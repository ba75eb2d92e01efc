import { describe, expect, it } from 'vitest';
import type { TextItem } from '#fill/draw/display-list.ts';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';

const text = (extra: object = {}) => ({
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 100,
  y: 200,
  width: 200,
  height: 40,
  value: { column: 'column_0' },
  size: 20,
  ...extra,
});

async function drawn(value: string, extra: object): Promise<TextItem & { notes: readonly string[] }> {
  const { drawer } = await drawingBench([text(extra)]);
  const { pages, warnings } = drawer.layOut(new Map([['column_0', value]]));
  const [first] = pages[0]?.items ?? [];
  if (first?.kind !== 'text') throw new Error('no text was drawn');
  return { ...first, notes: warnings.map(({ code }) => code) };
}

describe('padding', () => {
  it('[FILL200] a text with padding: drawn as in a box that is smaller on all sides', async () => {
    for (const look of [
      {},
      { align: 'right', valign: 'bottom' },
      { align: 'center', valign: 'middle', rotation: 30 },
      { fit: 'clip' },
      { wrap: true },
    ]) {
      const value = 'Some words that are too long for their box, whatever its size';
      const padded = await drawn(value, { ...look, padding: 6 });
      const smaller = await drawn(value, { ...look, x: 106, y: 206, width: 188, height: 28 });
      expect(padded).toEqual(smaller);
    }
  });

  it('[FILL200] no padding, or a padding of 0: the same drawing', async () => {
    expect(await drawn('Name', { padding: 0 })).toEqual(await drawn('Name', {}));
    expect((await drawn('Name', {})).frame).toMatchObject({ x: 100, y: 200, width: 200, height: 40 });
  });

  it('[FILL200] a padding that leaves no room: the text is reported as clipped', async () => {
    expect((await drawn('Name', { padding: 30 })).notes).toEqual(['TEXT_CLIPPED']);
  });

  it('[FILL201] a padding that leaves no room: a layout problem that names both sizes', async () => {
    const layout = (padding: number) =>
      layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays: [text({ padding })] });
    const source = { page_count: 1, form_fields: [] } as unknown as Parameters<typeof findLayoutProblems>[1];
    expect(await findLayoutProblems(layout(20), source, new Map())).toEqual([
      {
        path: 'overlays[0].padding',
        overlay_id: 't',
        message: 'a padding of 20 pt leaves no room for text in a box of 200 × 40 pt',
      },
    ]);
    expect(await findLayoutProblems(layout(19.9), source, new Map())).toEqual([]);
  });
});
