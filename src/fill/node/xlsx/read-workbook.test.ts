import { describe, expect, test } from 'vitest';
import { workbook } from '../../../../test/support/workbook.ts';
import { looksLikeXlsx, readWorkbook } from './read-workbook.ts';

const SHEET = workbook([
  ['id', 'name', 'born'],
  ['00012345678901234567890', ' Ann, "the first" ', { day: 45658 }],
  [12.5, null, true],
  [null, null, null],
]);
const MAX = 1_000_000;

describe('the first sheet of a workbook', () => {
  test('as CSV: what a person sees, quoted where needed, without empty rows at the end', async () => {
    expect(looksLikeXlsx(SHEET)).toBe(true);
    const read = await readWorkbook([SHEET], 'csv', MAX);
    expect(read.ok && read.text.toString()).toBe(
      'id,name,born\r\n00012345678901234567890," Ann, ""the first"" ",2025-01-01\r\n12.5,,true\r\n',
    );
  });

  test('as rows: empty cells are left out, the header too when there is one', async () => {
    const read = await readWorkbook([SHEET.subarray(0, 10), SHEET.subarray(10)], 'json-below-header', MAX);
    expect(read.ok && JSON.parse(read.text.toString())).toEqual([
      { column_0: '00012345678901234567890', column_1: ' Ann, "the first" ', column_2: '2025-01-01' },
      { column_0: '12.5', column_2: 'true' },
    ]);
    const whole = await readWorkbook([SHEET], 'json', MAX);
    expect(whole.ok && JSON.parse(whole.text.toString())).toHaveLength(3);
  });

  test('numbers keep the digits the workbook holds', async () => {
    const bytes = workbook([[9007199254740993n]]);
    const read = await readWorkbook([bytes], 'csv', MAX);
    expect(read.ok && read.text.toString()).toBe('9007199254740993\r\n');
  });

  test('is refused when it is no workbook, or larger than it may be', async () => {
    expect(await readWorkbook([new TextEncoder().encode('PK no workbook')], 'csv', MAX)).toEqual({
      ok: false,
      reason: 'unreadable',
    });
    expect(await readWorkbook([SHEET], 'csv', 10)).toEqual({ ok: false, reason: 'output' });
  });
});
