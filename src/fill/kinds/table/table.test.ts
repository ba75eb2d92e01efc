import { describe, expect, it } from 'vitest';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { GroupCells } from '#lib/rows/group-cells.ts';
import type { Cell } from '#lib/rows/row-cells.ts';
import { cellsOf } from '../../../../test/support/drawn-row-pdf.ts';
import { column, filled, group, table } from '../../../../test/support/filled-table.ts';
import { pageTexts, readPdf } from '../../../../test/support/read-pdf.ts';

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
