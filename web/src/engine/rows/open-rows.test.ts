import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workbook } from '../../../../test/support/workbook.ts';
import { openRows } from './open-rows.ts';
import { quotedCsvLine } from './quoted-csv.ts';
import { sentRows } from './sent-rows.ts';
import { workbookOf } from './write-workbook.ts';

const READING = { delimiter: null, encoding: null, header: true };
const open = (content: BlobPart, reading: Partial<typeof READING | object> = {}) =>
  openRows(new Blob([content]), 'rows.csv', { ...READING, ...reading }, () => undefined);

describe('opening a rows file', () => {
  it('finds the delimiter and takes the names from the first line', async () => {
    const opened = await open('Name;Town\nAda;London\nKurt;"Br;no"\n');
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.info).toMatchObject({
      fileName: 'rows.csv',
      kind: 'csv',
      sentAs: 'csv',
      rowCount: 2,
      columnCount: 2,
      header: ['Name', 'Town'],
      delimiter: ';',
      encoding: 'utf-8',
      decimalSigns: {},
    });
    expect(opened.rows.cells(2)).toEqual(['Kurt', 'Br;no']);
  });

  it('[FILL151] finds how columns write their numbers, without the header', async () => {
    const opened = await open('Name;"1.5";Sum\nAda;0,5;0.5\nKurt;1.234;0,5\n');
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.info.decimalSigns).toEqual({ column_1: ',', column_2: 'mixed' });
  });

  it('counts the first line as a row when it is no header', async () => {
    const opened = await open('Ada,London\nKurt,Brno', { header: false });
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.info.rowCount).toBe(2);
    expect(opened.rows.info.header).toBeNull();
    expect(opened.rows.cells(1)).toEqual(['Ada', 'London']);
  });

  it('takes another delimiter and encoding from the person', async () => {
    const latin = Uint8Array.from([0x4e, 0x3b, 0x4b, 0x0a, 0x47, 0xf6, 0x3b, 0x31]);
    const refused = await open(latin);
    expect(refused).toMatchObject({ ok: false, code: 'INVALID_CSV' });
    const opened = await open(latin, { encoding: 'windows-1252', delimiter: ';' });
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.cells(1)).toEqual(['Gö', '1']);
  });

  it('an order of the project: gives cells and names in it', async () => {
    const opened = await open('Town,Name,Extra\nLondon,Ada\n', { columns: [1, 0, null, 2] });
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.info).toMatchObject({ columnCount: 4, header: ['Name', 'Town', '', 'Extra'] });
    expect(opened.rows.cells(1)).toEqual(['Ada', 'London', '', '']);
  });

  it('a file that is not UTF-8: is refused with a sample and a suggestion, unless an encoding was chosen', async () => {
    const latin = Uint8Array.from([...'Town\nG'].map((sign) => sign.charCodeAt(0)).concat(0xf6, 0x74));
    expect(await open(latin)).toMatchObject({ ok: false, encoding: { likely: 'windows-1252' } });
    const chosen = await open(latin, { encoding: 'utf-8' });
    expect(chosen).toMatchObject({ ok: false, code: 'INVALID_CSV' });
    expect(chosen).not.toHaveProperty('encoding');
    expect(await open('a,b\n"never closed')).not.toHaveProperty('encoding');
  });

  it('says what is wrong with a broken file, and with one that has a header only', async () => {
    expect(await open('a,b\n"never closed')).toMatchObject({ ok: false, code: 'INVALID_CSV' });
    expect(await open('')).toMatchObject({ ok: false, code: 'NO_ROWS' });
    const lonely = await open('Name,Town\n');
    expect(lonely).toMatchObject({ ok: false, code: 'NO_ROWS' });
    expect(lonely.ok ? '' : lonely.message).toContain('First row is a header');
  });

  it('reads the first sheet of a workbook, values as text', async () => {
    const sheet = workbook([
      ['Name', 'Id', 'Born'],
      ['Ada', 12345678901234567890n.toString(), { day: 36526 }],
      [null, 1.5, true],
    ]);
    const opened = await open(sheet as Uint8Array<ArrayBuffer>);
    if (!opened.ok) throw new Error(opened.message);
    expect(opened.rows.info).toMatchObject({ kind: 'xlsx', rowCount: 2, columnCount: 3, delimiter: null });
    expect(opened.rows.cells(1)).toEqual(['Ada', '12345678901234567890', '1/1/2000']);
    expect(opened.rows.cells(2)).toEqual(['', '1.5', 'TRUE']);
    expect(await open(Uint8Array.from([0x50, 0x4b, 3, 4, 9, 9]))).toMatchObject({ ok: false });
    const raw = await open(sheet as Uint8Array<ArrayBuffer>, { cells: 'raw' });
    if (!raw.ok) throw new Error(raw.message);
    expect(raw.rows.cells(2)).toEqual(['', '1.5', 'true']);
  });

  it('[FILL133] a cell with an error: shown as a blank, and an error for the engine and the job', async () => {
    const texts = ['a _x005F_x0041_ <&> "q"', 'line\nend_x0001_'];
    const sheet = workbook([texts, [{ error: '#N/A' }, 'b'], ['c', { error: '#REF!' }]]);
    const opened = await open(sheet as Uint8Array<ArrayBuffer>, { header: false });
    if (!opened.ok) throw new Error(opened.message);
    const { rows } = opened;
    expect(rows.cells(2)).toEqual(['', 'b']);
    expect([...rows.engineCells(2)]).toEqual([
      ['column_0', null],
      ['column_1', 'b'],
    ]);
    const sent = workbookOf(sentRows(rows, [[1, 3]], false));
    const again = await open(sent, { header: false });
    if (!again.ok) throw new Error(again.message);
    for (const row of [1, 2, 3]) expect([...again.rows.engineCells(row)]).toEqual([...rows.engineCells(row)]);
  });
});

describe('rows written as CSV with every cell quoted', () => {
  it('come back as they were, whatever is in them', async () => {
    const cell = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 }),
        async (rows) => {
          const opened = await open(rows.map(quotedCsvLine).join(''), { header: false });
          if (!opened.ok) throw new Error(opened.message);
          const trimmed = (cells: readonly string[]) =>
            cells.slice(0, cells.findLastIndex((text) => text !== '') + 1);
          expect(rows.map((_, index) => opened.rows.cells(index + 1))).toEqual(rows.map(trimmed));
        },
      ),
      { numRuns: 60 },
    );
  });
});
