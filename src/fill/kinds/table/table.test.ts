import { describe, expect, it } from 'vitest';
import type { FillOptions } from '#fill/fill-options.ts';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import type { Cell } from '#lib/rows/row-cells.ts';
import { cellsOf } from '../../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../../test/support/prepared.ts';
import { pageTexts, readPdf } from '../../../../test/support/read-pdf.ts';
import { taggedPdf } from '../../../../test/support/tagged-source.ts';

const column = (key: string, more: object = {}) => ({ value: { column: key }, ...more });
const table = (more: object = {}) => ({
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
const group = (count: number, value = (n: number) => [`Item ${n}`, `${n}.5`]) =>
  new GroupCells(
    Array.from({ length: count }, (_, n) => ({ number: n + 1, cells: cellsOf('R-1', ...value(n + 1)) })),
  );

async function filled(
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

describe('[FILL266] a table', () => {
  it('a group: draws the header and one line per row', async () => {
    const { fill } = await filled([table()]);
    const { result, pdf } = fill(group(3));
    expect(result).toMatchObject({ status: 'success', row_numbers: [1, 2, 3], file_name: 'group_1.pdf' });
    const [page] = await readPdf(pdf);
    const texts = page?.texts
      .map(({ text }) => text.trim())
      .filter((text) => text !== '' && text !== 'ORIGINAL');
    expect(texts).toEqual(['Item', 'Amount', 'Item 1', '1.50', 'Item 2', '2.50', 'Item 3', '3.50']);
  });

  it('[FILL265] without groups: draws its one row, named like any row', async () => {
    const { filler, base } = await filled([table()], { groupBy: undefined });
    const { tail, result } = filler.fill(1, cellsOf('R-1', 'Item 1', '1.5'));
    expect(result).toMatchObject({ status: 'success', file_name: 'row_1.pdf' });
    expect(result).not.toHaveProperty('row_numbers');
    expect((await pageTexts(Buffer.concat([base.bytes, tail ?? new Uint8Array()])))[0]).toContain('Item 1');
  });

  it('long text: makes its row higher, and the next row moves down', async () => {
    const long = 'a rather long description of an item that needs several lines in its cell '.repeat(3);
    const { fill } = await filled([table({ height: 300 })]);
    const [page] = await readPdf(fill(group(2, (n) => [n === 1 ? long : 'short', '1'])).pdf);
    const texts = page?.texts ?? [];
    const lines = texts.filter(({ text }) => long.includes(text.trim()) && text.trim().length > 20);
    expect(lines.length).toBeGreaterThan(2);
    const lowest = Math.max(...lines.map(({ y }) => y));
    expect(texts.find(({ text }) => text === 'short')?.y).toBeGreaterThan(lowest);
  });

  it('[FILL271] clipped text and unread values: notes with the number of the row', async () => {
    const narrow = [
      column('column_1', { width: 10, fit: 'clip' }),
      column('column_2', { header: 'B', width: 300, format: { number: '0' } }),
    ];
    const { fill } = await filled([table({ columns: narrow })]);
    const { result } = fill(group(2, (n) => (n === 2 ? ['much wider than its cell', 'many'] : ['', '1'])));
    expect(result.status).toBe('success');
    expect(result.warnings).toMatchObject([
      { code: 'VALUE_FORMAT_UNREAD', overlay_id: 'items', input_row_number: 2 },
      { code: 'TEXT_CLIPPED', message: 'Row 2: The text is larger than its cell and was clipped.' },
    ]);
  });

  it('[FILL271] equal notes about one row: one note', async () => {
    const clip = { width: 10, fit: 'clip' };
    const { fill } = await filled([
      table({
        columns: [column('column_1', { ...clip, header: 'Header' }), column('column_2', clip)],
        width: 30,
      }),
    ]);
    const wide = 'much wider than its cell';
    expect(fill(group(2, () => [wide, wide])).result.warnings).toEqual(
      ['', 'Row 1: ', 'Row 2: '].map((row, index) => ({
        code: 'TEXT_CLIPPED',
        message: `${row}The text is larger than its cell and was clipped.`,
        overlay_id: 'items',
        ...(index > 0 && { input_row_number: index }),
      })),
    );
  });

  it('[FILL271] more than 100 notes of one code: the last one counts the others', async () => {
    const columns = [column('column_1', { fit: 'clip' }), column('column_2', { format: { number: '0' } })];
    const long = await filled([table({ columns, continue_on: 1 })]);
    const noted = long.fill(group(150, (n) => ['wide '.repeat(99), n === 150 ? 'many' : '1'])).result
      .warnings;
    expect(noted).toHaveLength(102);
    expect(noted.slice(99)).toMatchObject([
      { code: 'TEXT_CLIPPED', input_row_number: 100 },
      { code: 'VALUE_FORMAT_UNREAD', input_row_number: 150 },
      { code: 'TEXT_CLIPPED', message: '50 more notes of this kind are not listed.', overlay_id: 'items' },
    ]);
    expect(noted.at(-1)).not.toHaveProperty('input_row_number');
    const errors = long.fill(
      new GroupCells(
        Array.from({ length: 130 }, (_, n) => ({
          number: n + 1,
          cells: new Map<string, Cell>([...cellsOf('R-1', 'x'), ['column_2', null]]),
        })),
      ),
    ).result.warnings;
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toMatchObject({
      code: 'CELL_ERROR',
      message: '30 more notes of this kind are not listed.',
    });
  });

  it('characters outside of the base font: are embedded', async () => {
    const { fill } = await filled([table()]);
    expect((await pageTexts(fill(group(1, () => ['Ωμέγα 李', '1'])).pdf))[0]).toMatch(/Ωμέγα\s+李/);
  });
});

describe('[FILL267] totals', () => {
  const totals = (more: object = {}) =>
    table({
      total_label: 'Total',
      columns: [
        column('column_1', { header: 'Item' }),
        column('column_2', { header: 'Amount', format: { number: '#,##0.00' }, total: 'sum' }),
        column('column_1', { header: 'Pieces', total: 'count' }),
      ],
      ...more,
    });

  it('sum and count: in the format of the column, exact, without blanks', async () => {
    const { fill } = await filled([totals()]);
    const values = [
      ['a', '0.1'],
      ['b', '0.2'],
      ['', ''],
    ];
    const [text] = await pageTexts(fill(group(3, (n) => values[n - 1] ?? [])).pdf);
    expect(text).toMatch(/Total\s*0\.30\s*2/);
  });

  it('a value that is not a number: fails the document and names row and column', async () => {
    const { fill } = await filled([totals()]);
    const { result } = fill(group(3, (n) => ['x', n === 2 ? 'n/a' : '1']));
    expect(result).toMatchObject({
      status: 'failed',
      row_numbers: [1, 2, 3],
      error: {
        code: 'ROW_VALUE_INVALID',
        message: 'Row 2: column_2 is not a number that can be read with certainty, so the table has no sum.',
      },
    });
  });

  it('the sum of a value that is not a column: refused by the schema', () => {
    const wrong = table({ columns: [{ header: '', value: { static: '1' }, total: 'sum' }] });
    const layout = { format: 'rowpress.layout', version: 1, overlays: [wrong] };
    expect(layoutSchema.safeParse(layout).error?.issues[0]).toMatchObject({
      path: ['overlays', 0, 'columns', 0, 'total'],
    });
  });
});

describe('[FILL268] numbers of rows', () => {
  const lineCount = (items: readonly { kind: string }[]) =>
    items.flatMap((item) => ('path' in item ? String(item.path).trim().split('\n') : [])).length;

  it('fewer than min_rows: empty rows are added as far as the page has room', async () => {
    const rules = (more: object) => filled([table({ header: false, row_height: 20, ...more })]);
    for (const [minRows, expected] of [
      [0, 1],
      [3, 3],
      [99, 5],
    ]) {
      const { base, filler } = await rules({ min_rows: minRows });
      const { tail } = filler.fill(1, group(1));
      expect(tail).not.toBeNull();
      const content = Buffer.concat([base.bytes, tail ?? new Uint8Array()]).toString('latin1');
      expect(
        lineCount([{ kind: 'shape', path: /cm\n((?:[\d. -]+ re\n)+)f/.exec(content)?.[1] } as never]),
      ).toBe(expected);
    }
  });

  it('more than max_rows: the document fails, even if they would fit', async () => {
    const { fill } = await filled([table({ max_rows: 2 })]);
    expect(fill(group(2)).result.status).toBe('success');
    expect(fill(group(3)).result.error).toEqual({
      code: 'ROW_TABLE_OVERFLOW',
      message: '1 row does not fit in the table items, from row 3 on: it has at most 2 rows (max_rows).',
    });
  });
});

describe('[FILL270] rows without room', () => {
  it('no page to continue on: the document fails and says from which row on', async () => {
    const { fill } = await filled([table()]);
    expect(fill(group(4)).result.status).toBe('success');
    expect(fill(group(7)).result.error).toEqual({
      code: 'ROW_TABLE_OVERFLOW',
      message:
        '3 rows do not fit in the table items, from row 5 on: it is full and has no page to continue on (continue_on).',
    });
  });

  it('a page to continue on that the PDF does not have: a layout problem, and long groups fail', async () => {
    const overlays = [table({ continue_on: 9 })];
    const { fill } = await filled(overlays);
    expect(fill(group(4)).result.status).toBe('success');
    expect(fill(group(5)).result.error?.code).toBe('ROW_TABLE_OVERFLOW');
    const layout = layoutSchema.parse({ format: 'rowpress.layout', version: 1, overlays });
    const source = { page_count: 2, form_fields: [] } as unknown as Parameters<typeof findLayoutProblems>[1];
    expect(await findLayoutProblems(layout, source, new Map())).toEqual([
      { path: 'overlays[0].continue_on', overlay_id: 'items', message: 'page 9 of a PDF with 2' },
    ]);
  });

  it('a row that is higher than a whole page: the document fails instead of running on', async () => {
    const { fill } = await filled([table({ continue_on: 1 })]);
    const { result } = fill(group(2, (n) => [n === 2 ? 'word '.repeat(400) : 'x', '1']));
    expect(result.error).toMatchObject({ code: 'ROW_TABLE_OVERFLOW' });
    expect(result.error?.message).toContain(
      'from row 2 on: it is not high enough, even on a page of its own',
    );
  });

  it('a sheet of labels, which shows page 1 only: the document fails if its table continues', async () => {
    const sheet = {
      width: 595,
      height: 842,
      columns: 1,
      rows: 1,
      marginLeft: 0,
      marginTop: 0,
      pitchX: 595,
      pitchY: 842,
    };
    const options = {
      output: 'merged',
      sheet: { ...sheet, labelWidth: 595, labelHeight: 842, skip: 0, order: 'across', marks: false },
    };
    const { filler } = await filled([table({ continue_on: 2 })], {
      pages: 2,
      flattenForms: true,
      ...(options as never as object),
    });
    expect(filler.fill(1, group(4)).result.status).toBe('success');
    expect(filler.fill(1, group(5)).result.error?.code).toBe('ROW_TABLE_OVERFLOW');
  });
});

describe('[FILL269] pages that tables continue on', () => {
  const note = {
    id: 'note',
    type: 'text' as const,
    page: 2,
    x: 50,
    y: 50,
    width: 200,
    height: 20,
    value: { static: 'Continued' },
  };
  const last = { ...note, id: 'last', page: 3, value: { static: 'Terms' } };
  const pagesOf = async (pdf: Uint8Array) =>
    (await pageTexts(pdf)).map((text) => text.replace('ORIGINAL', '').replaceAll(/\s+/g, ' ').trim());

  it('a later page: is left out, used once, or repeated with its other overlays, before the pages after it', async () => {
    const { fill } = await filled([table({ continue_on: 2 }), note, last], { pages: 3 });
    expect(await pagesOf(fill(group(4)).pdf)).toEqual([expect.stringContaining('Item 4'), 'Terms']);
    const used = await pagesOf(fill(group(5)).pdf);
    expect(used).toEqual([
      expect.stringContaining('Item 4'),
      expect.stringMatching(/Continued.*Item 5/),
      'Terms',
    ]);
    const repeated = await pagesOf(fill(group(13)).pdf);
    expect(repeated).toHaveLength(5);
    expect(repeated[2]).toMatch(/Continued Item Amount Item 9 .*Item 12/);
    expect(repeated[3]).toMatch(/Continued Item Amount Item 13/);
    expect(repeated[4]).toBe('Terms');
  });

  it('the page of the table itself: is repeated after it', async () => {
    const { fill } = await filled([table({ continue_on: 1 }), { ...note, page: 1 }, { ...last, page: 2 }], {
      pages: 2,
    });
    const pages = await pagesOf(fill(group(6)).pdf);
    expect(pages).toHaveLength(3);
    expect(pages[1]).toMatch(/Continued.*Item 5.*Item 6/);
    expect(pages[1]).not.toContain('Item 4');
    expect(pages[2]).toBe('Terms');
  });

  it('another place on further pages: continue_y and continue_height', async () => {
    const { fill } = await filled([table({ continue_on: 2, continue_y: 20, continue_height: 600 })], {
      pages: 2,
    });
    const pages = await readPdf(fill(group(30)).pdf);
    expect(pages).toHaveLength(2);
    const top = (index: number) => Math.min(...(pages[index]?.texts.map(({ y }) => y) ?? []));
    expect(top(0) - top(1)).toBeCloseTo(80, 0);
  });

  it('totals without room: move to the next page with its header', async () => {
    const totals = table({
      continue_on: 1,
      total_label: 'Total',
      columns: [column('column_1', { header: 'Item' }), column('column_2', { total: 'sum' })],
    });
    const { fill } = await filled([totals]);
    const pages = await pagesOf(fill(group(4)).pdf);
    expect(pages).toHaveLength(2);
    expect(pages[1]).toMatch(/^Item Total 12\.0$/);
  });

  it('a page before the table: refused by the schema', () => {
    const layout = { format: 'rowpress.layout', version: 1, overlays: [table({ page: 2, continue_on: 1 })] };
    expect(layoutSchema.safeParse(layout).success).toBe(false);
  });

  it('[FILL272] a merged PDF: has the same pages, and bookmarks lead to the first page of each group', async () => {
    const overlays = [table({ continue_on: 2 }), note, last];
    const { filler, base, fill } = await filled(overlays, { pages: 3, flattenForms: true });
    const merged = new MergedPdf(base);
    const firstPages: number[] = [];
    for (const [index, count] of [13, 2, 5].entries()) {
      firstPages.push(merged.nextPage);
      expect(merged.add(filler, index + 1, group(count))).toBe(true);
    }
    expect(firstPages).toEqual([1, 6, 8]);
    expect(merged.pageCount).toBe(10);
    const pdf = Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
    const alone = await Promise.all([13, 2, 5].map((count) => pagesOf(fill(group(count)).pdf)));
    expect(await pagesOf(pdf)).toEqual(alone.flat());
  });

  it('a tagged document: what repeated pages show is an artifact', async () => {
    const layout = { overlays: [table({ continue_on: 1 })] as never };
    const { base, filler } = await prepareForTest(taggedPdf(), layout, { groupBy: ['column_0'] });
    const { tail } = filler.fill(1, group(9));
    const text = Buffer.from(tail ?? []).toString('latin1');
    expect(text).toContain('/P<</MCID');
    expect(text).toContain('/Artifact BMC');
    expect((await pageTexts(Buffer.concat([base.bytes, tail ?? new Uint8Array()]))).length).toBeGreaterThan(
      2,
    );
  });

  it('[FILL265] equal groups: equal bytes, whatever was drawn before', async () => {
    const { filler } = await filled([table({ continue_on: 1 })]);
    const first = filler.fill(1, group(9)).result.sha256;
    filler.fill(1, group(30));
    expect(filler.fill(1, group(9)).result.sha256).toBe(first);
  });
});

describe('groups without tables', () => {
  const name = {
    id: 'name',
    type: 'text' as const,
    page: 1,
    x: 50,
    y: 50,
    width: 200,
    height: 20,
    value: { column: 'column_1' },
  };

  it('[FILL261] rows with different values: the first is shown, and the document gets a note', async () => {
    const { fill } = await filled([name]);
    const { result, pdf } = fill(group(2));
    expect(await pageTexts(pdf)).toEqual([expect.stringContaining('Item 1')]);
    expect(result.warnings).toEqual([
      {
        code: 'GROUP_VALUES_DIFFER',
        message:
          'The rows of the group have different values in column_1; the value of row 1 is shown, row 2 has another one.',
        overlay_id: 'name',
        input_row_number: 2,
      },
    ]);
    expect(fill(group(2, () => ['same'])).result.warnings).toEqual([]);
  });

  it('[FILL263] rows without a value to group by, or with a structure in a cell: fail', async () => {
    const { fill } = await filled([name]);
    const blank = new GroupCells([{ number: 7, cells: cellsOf('', 'x') }]);
    expect(fill(blank).result).toMatchObject({
      status: 'failed',
      row_numbers: [7],
      error: {
        code: 'ROW_GROUP_BLANK',
        message: 'The rows have no value in column_0, so they belong to no document.',
      },
    });
    const structured = new Map([...cellsOf('R-1'), ['column_1', { json: '[]' }] as const]);
    const wrong = new GroupCells([
      { number: 1, cells: cellsOf('R-1', 'x') },
      { number: 9, cells: structured },
    ]);
    expect(fill(wrong).result.error).toEqual({
      code: 'ROW_VALUE_INVALID',
      message: 'Row 9: column_1 holds an object or an array instead of text.',
    });
  });
});

describe('[FILL76] the work of tables', () => {
  const tooComplex = { code: 'ROW_TOO_COMPLEX', message: 'The row asks for more than 2000000 table marks.' };
  const columns = (count: number, header: string) =>
    Array.from({ length: count }, () => column('column_1', { header, fit: 'clip' }));

  it('5,000 rows of 10 columns on 150 pages, below a letterhead: far below the limits', async () => {
    const letterhead = { ...table(), type: 'text', id: 'letterhead', y: 10, height: 80, padding: undefined };
    const { columns: _, ...text } = letterhead;
    const { fill } = await filled([
      table({
        y: 100,
        height: 700,
        row_height: 20,
        size: 8,
        columns: columns(10, 'A header'),
        continue_on: 1,
      }),
      { ...text, value: { static: 'An address. '.repeat(40) } },
    ]);
    const { result } = fill(group(5000, () => ['abc']));
    expect(result.error).toBeNull();
  });

  it('headers: count on every page', async () => {
    const { fill } = await filled([
      table({ row_height: 40, columns: columns(50, 'x'.repeat(950)), continue_on: 1 }),
    ]);
    expect(fill(group(20, () => [''])).result.error).toBeNull();
    expect(fill(group(100, () => [''])).result.error).toEqual(tooComplex);
  });

  it('blank rows, empty rows and pages: count for each table', async () => {
    const blank = (count: number, more: object) =>
      Array.from({ length: count }, (_, n) =>
        table({ id: `t${n}`, header: false, lines: 'grid', columns: columns(10, ''), ...more }),
      );
    const rows = await filled(blank(30, { height: 700, row_height: 1, size: 1, padding: 0, continue_on: 1 }));
    expect(rows.fill(group(1000, () => [''])).result.error).toBeNull();
    expect(rows.fill(group(4000, () => [''])).result.error).toEqual(tooComplex);
    const pages = await filled(blank(30, { row_height: 90, continue_on: 1 }));
    expect(pages.fill(group(100, () => [''])).result.error).toBeNull();
    expect(pages.fill(group(250, () => [''])).result.error).toEqual(tooComplex);
    const empty = { height: 5000, row_height: 1, size: 1, padding: 0, min_rows: 5000 };
    expect((await filled(blank(20, empty))).fill(group(1, () => [''])).result.error).toBeNull();
    expect((await filled(blank(45, empty))).fill(group(1, () => [''])).result.error).toEqual(tooComplex);
  });

  it('other overlays on a repeated page: count on every repetition', async () => {
    const { columns: _, padding: __, ...text } = table({ id: 'terms', type: 'text', fit: 'clip' });
    const { fill } = await filled([
      table({ header: false, row_height: 70, continue_on: 1 }),
      { ...text, value: { static: 'terms '.repeat(1000) } },
    ]);
    expect(fill(group(100, () => [''])).result.error).toBeNull();
    expect(fill(group(400, () => [''])).result.error).toEqual(tooComplex);
  });
});
