import { describe, expect, it } from 'vitest';
import { formatNumber, parseNumberPattern } from './number-pattern.ts';
import type { InputDecimal } from './read-decimal.ts';

function format(
  text: string,
  pattern: string,
  marks = { decimal: '.', group: ',' },
  sign: InputDecimal = '.',
): string | null {
  const parsed = parseNumberPattern(pattern);
  if (!parsed.ok) throw new Error(`not a pattern: ${pattern}`);
  return formatNumber(text, parsed.pattern, marks, sign);
}

const plain = (text: string, sign: InputDecimal) =>
  format(text, '0.######', { decimal: '.', group: '' }, sign);

describe('[FILL10] number patterns', () => {
  it.each([
    ['1234.5', '#,##0.00', '1,234.50'],
    ['1234567', '#,##0', '1,234,567'],
    ['0.5', '0.##', '0.5'],
    ['0.5', '#.##', '.5'],
    ['0', '#', '0'],
    ['42', '000000', '000042'],
    ['0.125', '0.0#%', '12.5%'],
    ['1.005', '0.00', '1.01'],
    ['2.5', '0', '3'],
    ['-2.5', '0', '-3'],
    ['-0.4', '0', '0'],
    ['999.995', '#,##0.00', '1,000.00'],
    ['9.99', '0.0', '10.0'],
    ['12345678901234567890', '#,##0', '12,345,678,901,234,567,890'],
    ['1e3', '#,##0', '1,000'],
    ['1.5E-3', '0.0000', '0.0015'],
    ['+7', '0', '7'],
    [' 7 ', '0', '7'],
    ['7', "0 'EUR #'", '7 EUR #'],
    ['7', '$0.00', '$7.00'],
    ['-7', '$0.00', '-$7.00'],
    ['7', "''0", "'7"],
  ])('%s formatted as %s: %s', (text, pattern, expected) => {
    expect(format(text, pattern)).toBe(expected);
  });

  it('other decimal and group signs: used in the output', () => {
    expect(format('1234.5', '#,##0.00', { decimal: ',', group: '.' })).toBe('1.234,50');
    expect(format('1234.5', '#,##0.00', { decimal: ',', group: '' })).toBe('1234,50');
  });

  it('text that is not a plain decimal number: unchanged', () => {
    for (const text of [
      '',
      'n/a',
      '1,23',
      '1,2345',
      '12,34,567',
      '0,125',
      '1 234,5',
      '0x10',
      'NaN',
      '1e999',
      '--1',
      '1.',
      '.5',
      '١٢',
    ]) {
      expect(format(text, '0.00')).toBeNull();
    }
  });

  it.each([
    ['1,234', '1234'],
    ['1,234,567.25', '1234567.25'],
    ["1'234'567.5", '1234567.5'],
    ['1\u2019234', '1234'],
    ['1 234.5', '1234.5'],
    ['1\u00a0234\u00a0567', '1234567'],
    ['1\u202f234', '1234'],
    ['\u22125.5', '-5.5'],
    ['1.234', '1.234'],
  ])('[FILL151] %s with a decimal point: %s', (text, expected) => {
    expect(plain(text, '.')).toBe(expected);
  });

  it.each([
    ['1234,5', '1234.5'],
    ['1.234,56', '1234.56'],
    ['-1.234.567', '-1234567'],
    ["1'234,5", '1234.5'],
    ['1\u202f234,5', '1234.5'],
    ['0,125', '0.125'],
    ['1,5E3', '1500'],
    ['1.234', '1234'],
    ['12', '12'],
  ])('[FILL151] %s with a decimal comma: %s', (text, expected) => {
    expect(plain(text, ',')).toBe(expected);
  });

  it('[FILL151] groups with different separators or lengths: not read', () => {
    for (const text of [
      "1'234 567",
      '1 23',
      '0 123',
      '1234 567',
      '1,234.567.8',
      '1..5',
      '1,,234',
      '1 234 '.repeat(2),
    ])
      for (const sign of ['.', ',', 'mixed'] as const) expect(plain(text, sign), text).toBeNull();
  });

  it('[FILL151] a column with both decimal signs: only unambiguous numbers are read', () => {
    expect(plain('1.5', 'mixed')).toBe('1.5');
    expect(plain('1,5', 'mixed')).toBe('1.5');
    expect(plain('1.234,5', 'mixed')).toBe('1234.5');
    expect(plain('1 234', 'mixed')).toBe('1234');
    for (const text of ['1.234', '1,234', '12.345', '1,000']) expect(plain(text, 'mixed'), text).toBeNull();
  });

  it('invalid patterns: rejected', () => {
    for (const pattern of ['', 'abc', '0.0.0', '#,#0', '0#', '%0%', "0'", '0,0', '.', '#,##0.0,0', '0 0']) {
      expect(parseNumberPattern(pattern).ok, pattern).toBe(false);
    }
  });
});
