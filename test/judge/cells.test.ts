import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CsvRows } from '#lib/rows/csv-rows.ts';
import { DEFAULT_ROW_LIMITS, readRows } from '#lib/rows/read-rows.ts';
import { readFirstSheet } from '#lib/xlsx/read-first-sheet.ts';
import { JudgeRoom, missingJudges, missingPython } from '../support/judges.ts';

/** Compares workbook cells written by openpyxl: LibreOffice's CSV export against our reader. */
const missing = [...missingJudges('soffice'), ...missingPython('openpyxl')];
if (missing.length > 0) console.log(`judges of cells skipped: ${missing.join(', ')} not installed`);

type Value = string | number | boolean;

const SAME: readonly (readonly [string, Value])[] = [
  ['General', 19.99],
  ['General', 0.1 + 0.2],
  ['General', 12345678901],
  ['General', 0.0001234],
  ['General', -1.5],
  ['General', 1e-10],
  ['General', true],
  ['General', 'text'],
  ['General" pcs"', 5],
  ['00000', 42],
  ['0', 2.5],
  ['0.00', 1.005],
  ['0.00', 2.675],
  ['0.00', 1e15],
  ['0', 123456789012345680],
  ['#,##0', 1e21],
  ['#,##0.00', 1234567.891],
  ['#.##', 0.5],
  ['#', 0],
  ['0.00%', 0.12345],
  ['0.0%', 0.0005],
  ['0.0,,', 12345678],
  ['0.00E+00', 123456],
  ['##0.0E+0', 12345],
  ['# ?/?', 1.3333333333],
  ['# ?/8', 0.375],
  ['0/0', 0.5],
  ['000-00-0000', 123456789],
  ['(###) ###-####', 5551234567],
  ['"No. "0', 7],
  ['0\\ "kg"', 12],
  ['-0', 5],
  ['+0;-0', 5],
  ['#,##0;(#,##0);"-"', -1234.5],
  ['#,##0;(#,##0);"-"', 0],
  ['[Red]-#,##0.00;[Blue]#,##0.00', -5.5],
  ['[>=1000]#,##0,"K";0', 12345],
  ['[>=1000]#,##0,"K";0', 999],
  ['[<0]"neg";[=0]"zero";"pos"', -3],
  ['0;-0;;@', 0],
  ['0;-0;0;"Ms. "@', 'Ann'],
  ['@', 12],
  ['#,##0_);(#,##0)', 12],
  ['_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', -1234.567],
  ['"$"#,##0.00_);[Red]("$"#,##0.00)', -1234.567],
  ['#,##0.00\\ [$€-407]', 1234.5],
  ['[$$-409]#,##0.00', 1234.5],
  ['#,##0.00 "€"', 1234.56],
  ['mm-dd-yy', 45658],
  ['m/d/yy h:mm', 45658.35416],
  ['d.m.yyyy', 45658],
  ['d-mmm-yy', 45658],
  ['dddd, mmmm dd, yyyy', 45658],
  ['mmmmm', 45658],
  ['[$-407]mmmm', 45720],
  ['[$-407]d. mmmm yyyy', 45720],
  ['[$-40C]dddd', 45658],
  ['yyyy"年"m"月"d"日"', 45658],
  ['yyyy-mm-dd hh:mm:ss', 45658.999994213],
  ['h:mm AM/PM', 0.3541666666666667],
  ['hh:mm:ss', 0.35416666666666663],
  ['h AM/PM', 0],
  ['mm:ss.0', 0.0007],
  ['[h]:mm', 1.3541666666666667],
  ['[h]:mm:ss', 30.5],
  ['[mm]:ss', 0.05],
  ['[ss]', 0.01],
];

/** Values for which we follow Excel and LibreOffice does not (FILL131): ours, theirs. */
const DIFFERENT: readonly (readonly [string, Value, string, string])[] = [
  ['General', 123456789012, '1.23457E+11', '123456789012'],
  ['General', 0.1234567890123, '0.123456789', '0.1234567890123'],
  ['0.##', 5, '5.', '5'],
  ['# ??/??', Math.PI, '3  1/7', '3 14/99'],
  ['0%', 0.285, '29%', '28%'],
  ['yy/m/d h:m:s', 45658.123456, '25/1/1 2:57:47', '25/1/1 2:57:46'],
  ['h:mm', 0.9999999, '0:00', '23:59'],
];

const MAKE = `
import json, sys, openpyxl
book = openpyxl.Workbook()
sheet = book.active
for row, (code, value) in enumerate(json.load(open('cells.json', encoding='utf8')), 1):
    cell = sheet.cell(row=row, column=1)
    cell.value = value
    cell.number_format = code
    sheet.cell(row=row, column=2).value = 'end'
sheet.column_dimensions['A'].width = 80
book.save('cells.xlsx')
`;
/** LibreOffice's CSV export options: comma, quotes, UTF-8, from line 1, cells as shown. */
const AS_SHOWN = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true';

describe.skipIf(missing.length > 0)('a workbook by openpyxl', () => {
  const room = new JudgeRoom();
  const cells = [...SAME, ...DIFFERENT.map(([code, value]) => [code, value] as const)];
  const ours: string[] = [];
  const theirs: string[] = [];
  beforeAll(async () => {
    room.put('cells.json', JSON.stringify(cells));
    room.put('make.py', MAKE);
    room.run('/usr/bin/python3', 'make.py');
    // A separate profile: a running LibreOffice of the same user would take over the command and not write here.
    const profile = `-env:UserInstallation=file://${room.path('profile')}`;
    room.run('soffice', profile, '--headless', '--convert-to', AS_SHOWN, 'cells.xlsx');
    readFirstSheet(room.read('cells.xlsx'), 'shown', (row) => ours.push(row[0] ?? 'an error'));
    const decoder = new CsvRows({ header: false, separator: ',', limits: DEFAULT_ROW_LIMITS });
    for await (const batch of readRows([room.read('cells.csv')], decoder))
      for (const row of batch) theirs.push(String(row.get('column_0') ?? ''));
  });
  afterAll(() => room.close());

  it('[FILL131][FILL132] every cell: the text that LibreOffice exports, without padding', () => {
    const listed = (texts: readonly string[]) =>
      SAME.map(([code, value], at) => [code, value, (texts[at] ?? '').trim()]);
    expect(SAME.length).toBeGreaterThanOrEqual(60);
    expect(ours).toHaveLength(cells.length);
    expect(theirs).toHaveLength(cells.length);
    expect(listed(ours)).toEqual(listed(theirs));
  });

  it('[FILL131] where LibreOffice differs from Excel: the text of Excel', () => {
    const found = DIFFERENT.map(([code, value], index) => {
      const at = SAME.length + index;
      return [code, value, ours[at], (theirs[at] ?? '').trim()];
    });
    expect(found).toEqual(DIFFERENT);
  });
});
