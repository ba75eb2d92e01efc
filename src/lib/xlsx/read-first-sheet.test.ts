import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type WorkbookCell, type WorkbookExtras, workbook } from '../../../test/support/workbook.ts';
import type { SheetCell } from './cell-text.ts';
import type { CellValues } from './cell-values.ts';
import { readFirstSheet } from './read-first-sheet.ts';
import { WorkbookUnreadable } from './workbook-unreadable.ts';

function read(bytes: Uint8Array, values: CellValues = 'shown'): (readonly SheetCell[])[] {
  const rows: (readonly SheetCell[])[] = [];
  readFirstSheet(bytes, values, (cells) => rows.push(cells));
  return rows;
}
const cellsOf = (cells: readonly WorkbookCell[], extras?: WorkbookExtras, values?: CellValues) =>
  read(workbook([cells], extras), values)[0] ?? [];
const shown = (n: number | string, as: string, extras?: WorkbookExtras) =>
  cellsOf([{ n, as }], extras)[0] ?? '';

describe('[FILL131] a number with a format: the text the spreadsheet shows', () => {
  it.each<[string, number | string, string]>([
    ['00000', 42, '00042'],
    ['0.00%', 0.12345, '12.35%'],
    ['#,##0.00', 1234567.891, '1,234,567.89'],
    ['General', '19.989999999999998', '19.99'],
    ['General', 12345678901, '12345678901'],
    ['General', 123456789012, '1.23457E+11'],
    ['General', 0.1234567890123, '0.123456789'],
    ['General', 0.1 + 0.2, '0.3'],
    ['0.00', 1.005, '1.01'],
    ['#,##0;(#,##0);"-"', -1234.5, '(1,235)'],
    ['#,##0;(#,##0);"-"', 0, '-'],
    ['[Red]-#,##0.00;[Blue]#,##0.00', -5.5, '5.50'],
    ['[>=1000]#,##0,"K";0', 12345, '12K'],
    ['[<0]"neg";[=0]"zero";"pos"', 3, 'pos'],
    ['# ?/?', 1.3333333, '1 1/3'],
    ['# ?/8', 0.375, '3/8'],
    ['0.00E+00', 123456, '1.23E+05'],
    ['_-* #,##0.00\\ "€"_-', 1234.5, '1,234.50 €'],
    ['#,##0.00\\ [$€-407]', 1234.5, '1,234.50 €'],
    ['[$€-x-euro2] #,##0', 1234, '€ 1,234'],
    ['[ENG]0.0', 1.25, '1.3'],
    [';;;', 7, ''],
    ['not [a format', 7, '7'],
  ])('%s of %s: %j', (as, n, text) => {
    expect(shown(n, as)).toBe(text);
  });

  it('text sections apply to text, and padding is left out', () => {
    const cells = cellsOf([
      { text: 'Ann', as: '0;-0;0;"Ms. "@' },
      { text: ' Ann ', as: '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)' },
      { text: 'Ann', as: '0.00' },
      true,
      false,
    ]);
    expect(cells).toEqual(['Ms. Ann', ' Ann ', 'Ann', 'TRUE', 'FALSE']);
  });
});

describe('[FILL132] dates and times: as shown, rounded, without 1899', () => {
  it.each<[string, number, string | null]>([
    ['d.m.yyyy', 45658, '1.1.2025'],
    ['h:mm AM/PM', 0.3541666666666667, '8:30 AM'],
    ['hh:mm:ss', 0.35416666666666663, '08:30:00'],
    ['h:mm', 0.354166, '8:30'],
    ['[h]:mm', 1.3541666666666667, '32:30'],
    ['yyyy-mm-dd hh:mm:ss', 45658.999999999, '2025-01-02 00:00:00'],
    ['[$-407]d. mmmm yyyy', 45720, '4. März 2025'],
    ['[$-40C]dddd', 45658, 'mercredi'],
    ['d.m.yyyy', 0.5, '0.1.1900'],
    ['d.m.yyyy', -1, null],
    ['d.m.yyyy', 2958466, null],
  ])('%s of %s: %j', (as, n, text) => {
    expect(cellsOf([{ n, as }])[0]).toBe(text);
  });

  it('the date system of 1904: the same day, and durations as they are', () => {
    const extras = { date1904: true };
    expect(shown(45658 - 1462, 'd.m.yyyy', extras)).toBe('1.1.2025');
    expect(shown(1.25, '[h]:mm', extras)).toBe('30:00');
    expect(cellsOf([{ n: 45658 - 1462, as: 'd.m.yyyy' }], extras, 'raw')).toEqual(['2025-01-01']);
  });
});

describe('[FILL130] which cells of a workbook are rows', () => {
  it('the first visible sheet: hidden sheets before it are passed over', () => {
    const rows = [['seen']];
    for (const state of ['hidden', 'veryHidden'] as const)
      expect(read(workbook(rows, { before: { state, cell: 'unseen' } }))).toEqual(rows);
    expect(read(workbook(rows, { before: { state: 'visible', cell: 'first' } }))).toEqual([['first']]);
  });

  it('blank rows between rows are rows, at the end they are not', () => {
    expect(read(workbook([[null], ['a', null, 'c'], [null], [' '], ['d'], [null], [' ']]))).toEqual([
      [],
      ['a', '', 'c'],
      [],
      [],
      ['d'],
    ]);
  });

  it('shared, formatted and escaped texts: their plain text', () => {
    const strings =
      '<si><t>plain</t></si><si><r><t>bo</t></r><r><rPr><b/></rPr><t xml:space="preserve">ld </t></r><rPh sb="0" eb="1"><t>kana</t></rPh></si><si><t>two_x000A_lines _x005F_x0041_ &amp; more</t></si>';
    const cells = [0, 1, 2].map((at) => ({ xml: `<c r="REF" t="s"><v>${at}</v></c>` }));
    expect(cellsOf(cells, { strings })).toEqual(['plain', 'bold ', 'two\nlines _x0041_ & more']);
  });

  it('merged cells: the value of the top left one alone', () => {
    const rows = [
      ['a', 'b', 'c'],
      ['d', 'e', 'f'],
      ['g', 'h', 'i'],
    ];
    expect(read(workbook(rows, { merged: ['A1:B2', 'C2:C3'] }))).toEqual([
      ['a', '', 'c'],
      ['', '', 'f'],
      ['g', 'h'],
    ]);
  });

  it('cells without references, and dates in words', () => {
    const cells = cellsOf([
      { xml: '<c t="inlineStr"><is><t>a</t></is></c>' },
      { xml: '<c><v>2</v></c>' },
      { xml: '<c s="1" t="d"><v>2025-01-31</v></c>' },
    ]);
    expect(cells).toEqual(['a', '2', '1/31/2025']);
  });
});

describe('[FILL133] cells without a value to show', () => {
  it('an error and a formula that was never computed: null; a computed one: its result', () => {
    const cells = cellsOf([
      { error: '#N/A' },
      { xml: '<c r="REF"><f>1/0</f><v></v></c>' },
      { xml: '<c r="REF"><f>SUM(1)</f></c>' },
      { xml: '<c r="REF" t="str"><f>""</f><v></v></c>' },
      { xml: '<c r="REF"><f>1+1</f><v>2</v></c>' },
      { xml: '<c r="REF" t="str"><f>"a"</f><v>a</v></c>' },
    ]);
    expect(cells).toEqual([null, null, null, '', '2', 'a']);
  });
});

describe('[FILL134] raw values', () => {
  it('numbers in their shortest form, dates and times in ISO 8601, booleans in small letters', () => {
    const cells: WorkbookCell[] = [
      { n: '19.989999999999998', as: '00000' },
      { n: '1E-3', as: '0%' },
      12345678901234567890n,
      true,
      { day: 45658 },
      { n: 45658.5, as: 'd.m.yyyy' },
      { n: 0.3541666666666667, as: 'h:mm' },
      { n: 1.3541666666666667, as: '[h]:mm' },
      { n: 0.00001, as: 'h:mm' },
      { error: '#REF!' },
    ];
    expect(cellsOf(cells, {}, 'raw')).toEqual([
      '19.99',
      '0.001',
      '12345678901234567890',
      'true',
      '2025-01-01',
      '2025-01-01T12:00:00',
      '08:30:00',
      'PT32H30M',
      '00:00:00.864',
      null,
    ]);
  });
});

describe('[FILL135] a workbook that cannot be read', () => {
  const changed = (path: string, change: (text: string) => string) => {
    const files = unzipSync(workbook([['a']]));
    return zipSync({ ...files, [path]: strToU8(change(new TextDecoder().decode(files[path]))) });
  };
  const SHEET = 'xl/worksheets/sheet1.xml';

  it.each<[string, () => Uint8Array]>([
    ['no ZIP', () => strToU8('PK no workbook')],
    ['a ZIP of something else', () => zipSync({ 'a.txt': strToU8('a') })],
    ['a sheet that breaks off', () => changed(SHEET, (text) => text.slice(0, -30))],
    [
      'a row out of order',
      () => changed(SHEET, (text) => text.replace('</sheetData>', '<row r="1"/></sheetData>')),
    ],
    [
      'a row beyond the sheet',
      () => changed(SHEET, (text) => text.replace('<row r="1"', '<row r="1048577"')),
    ],
    ['a cell beyond the sheet', () => changed(SHEET, (text) => text.replace('"A1"', '"XFE1"'))],
    [
      'an entity of its own',
      () => changed(SHEET, (text) => text.replace('<t xml:space="preserve">a', '<t>&bomb;')),
    ],
  ])('%s: refused', (_, bytes) => {
    expect(() => read(bytes())).toThrow(WorkbookUnreadable);
  });
});
