import { expect, test } from 'vitest';
import { kindOf } from '#fill/kinds/kind-of.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { CODE_EXAMPLES, exampleValue } from './example-row.ts';

const box = { page: 1, x: 10, y: 10, width: 200, height: 80 };
const layoutOf = (parts: object) =>
  layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays: [], ...parts });
const used = (overlay: object, columns: object[] = []) =>
  exampleValue(
    layoutOf({ columns, overlays: [{ id: 'a', ...box, value: { column: 'column_0' }, ...overlay }] }),
    'column_0',
  );

test.each(Object.keys(CODE_EXAMPLES))(
  '[BF148] the example of a %s barcode: can be drawn',
  async (symbology) => {
    const value = used({ type: 'barcode', symbology });
    const [overlay] = layoutOf({
      overlays: [{ id: 'a', ...box, type: 'barcode', symbology, value: { static: value } }],
    }).overlays;
    if (overlay === undefined) throw new Error('no overlay');
    const { staticProblem } = kindOf(overlay);
    expect(staticProblem).toBeDefined();
    expect(await staticProblem?.(overlay, new Map())).toBeUndefined();
  },
);

test('[BF148] an example: fits the first use of the column', () => {
  expect(used({ type: 'image' })).toBe('');
  expect(used({ type: 'check' })).toBe('yes');
  expect(
    used({ type: 'text', format: { number: '0' } }, [
      { key: 'column_0', input: { type: 'number', decimal: ',' } },
    ]),
  ).toBe('1234,5');
  expect(
    used({ type: 'text' }, [
      { key: 'column_0', label: 'Due', input: { type: 'date', pattern: 'DD.MM.YYYY' } },
    ]),
  ).toBe('2026-01-31');
  expect(used({ type: 'text' })).toBe('column_0');
  const shown = {
    id: 'a',
    ...box,
    type: 'text',
    value: { static: 'x' },
    show_if: { column: 'column_0', equals: 'VIP' },
  };
  expect(exampleValue(layoutOf({ overlays: [shown] }), 'column_0')).toBe('VIP');
  expect(exampleValue(layoutOf({}), 'column_0')).toBe('');
});
