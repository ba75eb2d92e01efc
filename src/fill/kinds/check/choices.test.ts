import { describe, expect, it } from 'vitest';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { cellsOf, drawingBench } from '../../../../test/support/drawn-row-pdf.ts';

const check = (id: string, on_value: string | undefined, extra: object = {}) => ({
  id,
  type: 'check' as const,
  page: 1,
  x: 100,
  y: 100,
  width: 12,
  height: 12,
  value: { column: 'column_0' },
  ...(on_value === undefined ? {} : { on_value }),
  ...extra,
});

type Checks = readonly ReturnType<typeof check>[];

async function rows(checks: Checks) {
  const { drawer } = await drawingBench([...checks], { pages: 2 });
  return (value: string) => {
    const { pages, warnings, applied, skipped } = drawer.layOut(cellsOf(value, value));
    const ticked = pages.flatMap(({ items }) => items.map(({ overlayId }) => overlayId));
    return { ticked, applied, skipped, warnings };
  };
}

const STATUS = [
  check('single', 'single', { group: 'status' }),
  check('married', 'married', { group: 'status' }),
  check('other', 'yes', { group: 'status', page: 2 }),
];

describe('a choice group', () => {
  it('[FILL204] the value of one box: ticks that box alone, and no row is flagged', async () => {
    const row = await rows(STATUS);
    expect(row('married')).toEqual({ ticked: ['married'], applied: 3, skipped: 0, warnings: [] });
    expect(row(' Single ')).toMatchObject({ ticked: ['single'], warnings: [] });
    expect(row('')).toMatchObject({ ticked: [], skipped: 0, warnings: [] });
  });

  it('[FILL204] words such as yes and no: have no meaning of their own in a group', async () => {
    const row = await rows(STATUS);
    expect(row('yes')).toMatchObject({ ticked: ['other'], warnings: [] });
    expect(row('no').warnings).toMatchObject([{ code: 'OPTION_UNKNOWN' }]);
    expect(row('true').warnings).toMatchObject([{ code: 'OPTION_UNKNOWN' }]);
  });

  it('[FILL205] an unknown value: one warning per row, which names the allowed values', async () => {
    const row = await rows(STATUS);
    const warning = {
      code: 'OPTION_UNKNOWN',
      message: 'The choice group status has no such option; it has "single", "married", "yes".',
      overlay_id: 'single',
    };
    expect(row('widowed')).toEqual({ ticked: [], applied: 2, skipped: 1, warnings: [warning] });
    expect(row('widowed').warnings).toEqual([warning]); // every row, not only the first
  });

  it('[FILL205] a first box that the row hides: the next one gives the warning', async () => {
    const [first, ...others] = STATUS;
    if (first === undefined) throw new Error('no box');
    const row = await rows([
      { ...first, show_if: { column: 'column_1', equals: 'never' } },
      ...others,
    ] as Checks);
    expect(row('widowed').warnings).toMatchObject([{ overlay_id: 'married' }]);
  });

  it('[FILL207] boxes with different sources, no value or the same value: layout problems', async () => {
    const layout = layoutSchema.parse({
      format: 'rowpress.layout',
      version: 1,
      overlays: [
        check('a', 'A', { group: 'g' }),
        check('b', 'A', { group: 'g' }),
        check('c', undefined, { group: 'g' }),
        check('d', 'D', { group: 'g', value: { column: 'column_1' } }),
        check('e', 'A'),
      ],
    });
    const source = { page_count: 1, form_fields: [] } as unknown as Parameters<typeof findLayoutProblems>[1];
    expect(await findLayoutProblems(layout, source, new Map())).toEqual([
      {
        path: 'overlays[1].on_value',
        overlay_id: 'b',
        message: 'another box of the choice group g is ticked by "A" too',
      },
      {
        path: 'overlays[2].on_value',
        overlay_id: 'c',
        message: 'this box of the choice group g has no value that ticks it',
      },
      {
        path: 'overlays[3].value',
        overlay_id: 'd',
        message: 'all boxes of the choice group g must read the same value',
      },
    ]);
  });
});

describe('check marks without a group', () => {
  it('[FILL206] two marks on one column: a value of the other mark is not flagged', async () => {
    const row = await rows([check('m', 'male'), check('f', 'female')]);
    expect(row('male')).toEqual({ ticked: ['m'], applied: 2, skipped: 0, warnings: [] });
    expect(row('Female')).toMatchObject({ ticked: ['f'], warnings: [] });
    expect(row('x')).toMatchObject({ ticked: ['m', 'f'], warnings: [] });
    expect(row('diverse').warnings).toMatchObject([{ overlay_id: 'm' }, { overlay_id: 'f' }]);
  });

  it('[FILL206] a mark for yes and a mark for no: each value ticks its own mark only', async () => {
    const row = await rows([check('yes', 'Yes'), check('no', 'No')]);
    expect(row('yes').ticked).toEqual(['yes']);
    expect(row('no').ticked).toEqual(['no']);
  });

  it('[FILL206] marks on different columns: do not know each other', async () => {
    const row = await rows([check('m', 'male'), check('f', 'female', { value: { column: 'column_1' } })]);
    expect(row('male').warnings).toMatchObject([{ code: 'OPTION_UNKNOWN', overlay_id: 'f' }]);
  });
});
