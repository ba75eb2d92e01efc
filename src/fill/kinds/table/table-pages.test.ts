import { describe, expect, it } from 'vitest';
import { MergedPdf } from '#fill/merge/merged-pdf.ts';
import { nativeCodec } from '#fill/node/native-codec.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { cellsOf } from '../../../../test/support/drawn-row-pdf.ts';
import { column, filled, group, table } from '../../../../test/support/filled-table.ts';
import { pagesPdf } from '../../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../../test/support/prepared.ts';
import { pageTexts, readPdf } from '../../../../test/support/read-pdf.ts';
import { taggedPdf } from '../../../../test/support/tagged-source.ts';

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

  it('[FILL301] [FILL302] blank pages: after groups with an odd number of pages, as large as the page before', async () => {
    const source = pagesPdf([{ entries: '/MediaBox[0 0 500 600]' }, {}]);
    const options = { groupBy: ['column_0'], flattenForms: true };
    const overlays = [table({ continue_on: 2 })] as never;
    const { filler, base } = await prepareForTest(source, { overlays }, options);
    const merged = new MergedPdf(base, { duplex: true });
    const firstPages = [13, 2, 5].map((count, index) => {
      const page = merged.nextPage;
      merged.add(filler, index + 1, group(count));
      return page;
    });
    expect([firstPages, merged.pageCount]).toEqual([[1, 5, 7], 8]);
    const pdf = Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
    const blanks = (await pagesOf(pdf)).flatMap((text, index) => (text === '' ? [index + 1] : []));
    expect(blanks).toEqual([6]);
    expect(pdf.toString('latin1')).toMatch(/\/Parent \d+ 0 R\/MediaBox \[0 0 500 600\]\/Resources<<>>>>/);
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
