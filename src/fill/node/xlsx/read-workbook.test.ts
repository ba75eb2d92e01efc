import { describe, expect, test } from 'vitest';
import { workbook } from '../../../../test/support/workbook.ts';
import { looksLikeXlsx, readWorkbook } from './read-workbook.ts';

const SHEET = workbook([
  ['id', 'name', 'born'],
  ['00012345678901234567890', ' Ann, "the first" ', { day: 45658 }],
  [12.5, null, true],
  ['x', { error: '#N/A' }],
  [null, null, null],
]);
const MAX = 1_000_000;

describe('the first sheet of a workbook', () => {
  test('[FILL135] as CSV: raw values, quoted where needed, an error as a blank, without blank rows at the end', async () => {
    expect(looksLikeXlsx(SHEET)).toBe(true);
    const read = await readWorkbook([SHEET], { form: 'csv', values: 'raw' }, MAX);
    expect(read.ok && read.text.toString()).toBe(
      'id,name,born\r\n00012345678901234567890," Ann, ""the first"" ",2025-01-01\r\n12.5,,true\r\nx,\r\n',
    );
  });

  test('[FILL135] as rows: blank cells are left out, an error is null, and the header is left out when there is one', async () => {
    const read = await readWorkbook(
      [SHEET.subarray(0, 10), SHEET.subarray(10)],
      { form: 'json-below-header', values: 'shown' },
      MAX,
    );
    expect(read.ok && JSON.parse(read.text.toString())).toEqual([
      { column_0: '00012345678901234567890', column_1: ' Ann, "the first" ', column_2: '1/1/2025' },
      { column_0: '12.5', column_2: 'TRUE' },
      { column_0: 'x', column_1: null },
    ]);
    const whole = await readWorkbook([SHEET], { form: 'json', values: 'shown' }, MAX);
    expect(whole.ok && JSON.parse(whole.text.toString())).toHaveLength(4);
  });

  test('[FILL134] raw whole numbers: the digits that the workbook holds', async () => {
    const bytes = workbook([[9007199254740993n]]);
    const read = await readWorkbook([bytes], { form: 'csv', values: 'raw' }, MAX);
    expect(read.ok && read.text.toString()).toBe('9007199254740993\r\n');
  });

  test('[FILL135] not a workbook, or more output than allowed: refused', async () => {
    expect(
      await readWorkbook([new TextEncoder().encode('PK no workbook')], { form: 'csv', values: 'raw' }, MAX),
    ).toEqual({
      ok: false,
      reason: 'unreadable',
    });
    expect(await readWorkbook([SHEET], { form: 'csv', values: 'raw' }, 10)).toEqual({
      ok: false,
      reason: 'output',
    });
  });
});
