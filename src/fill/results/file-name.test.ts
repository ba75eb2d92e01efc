import { describe, expect, it } from 'vitest';
import type { Cell } from '../values/row-cells.ts';
import { rowFileName } from './file-name.ts';

const name = (value: Cell, row = 1) => rowFileName(row, new Map([['column_0', value]]), ['column_0']);

describe('[FILL17] file names', () => {
  it('no chosen columns: only the row number', () => {
    expect(rowFileName(7, new Map(), [])).toBe('row_7.pdf');
  });

  it('chosen columns: values in that order, with repeats, without blanks and unknown names', () => {
    const row = new Map<string, Cell>([
      ['column_0', 'Ann'],
      ['column_1', 'X1'],
      ['column_2', '   '],
      ['column_3', { json: '[]' }],
      ['ref', 'R'],
    ]);
    expect(rowFileName(2, row, ['column_1', 'column_0', 'column_1'])).toBe('row_2_X1_Ann_X1.pdf');
    expect(rowFileName(2, row, ['column_2', 'nope', 'column_0'])).toBe('row_2_Ann.pdf');
    expect(rowFileName(2, row, ['column_3', 'ref'])).toBe('row_2_R.pdf');
    expect(rowFileName(2, row, ['Name'], new Map([['Name', 'column_0']]))).toBe('row_2_Ann.pdf');
  });

  it('letters of any script, spaces, commas and dots: kept', () => {
    expect(name('Zoë, Łukasz & 李雷. Jr')).toBe('row_1_Zoë, Łukasz & 李雷. Jr.pdf');
    expect(name('Zoe\u0308')).toBe('row_1_Zo\u00eb.pdf');
    expect(name('محمد علی\u200cها')).toBe('row_1_محمد علی\u200cها.pdf');
  });

  it('separators, control characters, bidi controls and characters that Windows forbids: replaced one for one', () => {
    expect(name('a/b\\c:d*e?f"g<h>i|j')).toBe('row_1_a-b-c-d-e-f-g-h-i-j.pdf');
    expect(name('a\u0000b\nc\u007fd\u0085e')).toBe('row_1_a-b-c-d-e.pdf');
    expect(name('x\u202efdp.exe')).toBe('row_1_x-fdp.exe.pdf');
    expect(name('../../etc/passwd')).toBe('row_1_..-..-etc-passwd.pdf');
    expect(name('\ud800x')).toBe('row_1_\ufffdx.pdf');
  });

  it('a reserved device name: never used', () => {
    expect(name('CON')).toBe('row_1_CON.pdf');
    expect(name('NUL.txt')).toBe('row_1_NUL.txt.pdf');
  });

  it('long values: a segment has at most 60 characters, the name at most 180 bytes of whole characters', () => {
    expect(name('x'.repeat(61))).toBe(`row_1_${'x'.repeat(60)}.pdf`);
    expect(name('ab '.repeat(21))).toBe(`row_1_${'ab '.repeat(21).slice(0, 60)}.pdf`);
    expect([...name('😀'.repeat(61))].filter((char) => char === '😀')).toHaveLength(42);
    const row = new Map<string, Cell>([
      ['column_0', '李'.repeat(60)],
      ['column_1', 'y'.repeat(60)],
    ]);
    const long = rowFileName(100_000, row, ['column_0', 'column_1', 'column_1']);
    expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(180);
    expect(long).toMatch(/^row_100000_李+\.pdf$/);
    const ascii = rowFileName(1, new Map([['column_0', 'z'.repeat(60)]]), [
      'column_0',
      'column_0',
      'column_0',
    ]);
    expect(ascii).toHaveLength(180);
  });
});
