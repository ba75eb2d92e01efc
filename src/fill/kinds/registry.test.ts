import { expect, test, vi } from 'vitest';
import { drawingBench } from '../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { findLayoutProblems } from '../layout-problems.ts';
import { mappedColumns } from '../mapped-columns.ts';
import { layoutJsonSchemaText } from '../package/layout-json-schema.ts';
import { type LayoutInput, layoutSchema } from '../package/layout-schema.ts';

// What a new line in the registry does. Everything below derives from it.
vi.mock('./registry.ts', async (importOriginal) => {
  const { KINDS } = await importOriginal<typeof import('./registry.ts')>();
  const { meterKind } = await import('../../../test/support/meter-kind.ts');
  return { KINDS: [...KINDS, meterKind] };
});

const box = { id: 'm', type: 'meter', page: 1, x: 10, y: 20, width: 200, height: 8 };
const overlays = [{ ...box, value: { column: 'column_0' } }] as unknown as NonNullable<
  LayoutInput['overlays']
>;
const layoutWith = (value: object, members = {}) =>
  layoutSchema.safeParse({
    format: 'rowpress.layout',
    version: 1,
    overlays: [{ ...box, value, ...members }],
  });

test('a kind added to the registry: its schema validates layouts and is published', () => {
  expect(layoutWith({ column: 'column_0' }).data?.overlays[0]).toMatchObject({
    color: '#00ff00',
    opacity: 1,
  });
  expect(layoutWith({ column: 'column_0' }, { ecc: 'M' }).success).toBe(false);
  expect(layoutJsonSchemaText()).toContain('"meter_overlay"');
});

test('a kind added to the registry: rows draw it, and its faces are in the base', async () => {
  const bench = await drawingBench(overlays);
  const drawing = bench.draw('50');
  expect(drawing).toMatchObject({ applied: 1, skipped: 0, error: null });
  // Half of 200 points wide, 8 high.
  expect(Buffer.from(drawing.slots[0]?.content ?? []).toString('latin1')).toMatch(/100 0 0 8 [\s\S]* re\n/);
  const { base, filler } = await prepareForTest(pagesPdf([{}]), { overlays });
  expect(Buffer.from(base.bytes).toString('latin1')).toContain('Cousine');
  expect(filler.fill(1, new Map([['column_0', '50']])).result.status).toBe('success');
});

test('a kind added to the registry: its columns are mapped and its static problems are reported', async () => {
  const layout = layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays });
  expect(mappedColumns(layout, { includeStickers: false })).toEqual(['column_0']);
  const wrong = layoutWith({ static: 'half' }).data;
  if (wrong === undefined) throw new Error('the layout is invalid');
  const source = { page_count: 1, form_fields: [] } as unknown as Parameters<typeof findLayoutProblems>[1];
  expect(await findLayoutProblems(wrong, source, new Map())).toEqual([
    { path: 'overlays[0].value', overlay_id: 'm', message: 'half is not a percentage' },
  ]);
});
