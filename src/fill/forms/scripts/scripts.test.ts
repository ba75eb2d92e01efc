import { describe, expect, it } from 'vitest';
import { add, decimalText, divide, multiply, parseDecimal } from './decimal.ts';
import { applyFormat, readFormat } from './field-format.ts';
import { readLiteralCall } from './literal-call.ts';

const formatted = (script: string, text: string) => {
  const call = readLiteralCall(script);
  const format = call === null ? null : readFormat(call);
  if (format === null) throw new Error(`not understood: ${script}`);
  return applyFormat(format, text);
};

describe('readLiteralCall', () => {
  it('[FILL125] a call with literal arguments: read', () => {
    expect(readLiteralCall('AFNumber_Format(2, 0, -1, 0, "\\u20ac \\"x\\"", true);')).toEqual({
      name: 'AFNumber_Format',
      args: [2, 0, -1, 0, '€ "x"', true],
    });
    expect(readLiteralCall(`AFSimple_Calculate("SUM", new Array ("a", 'b'))`)?.args).toEqual([
      'SUM',
      ['a', 'b'],
    ]);
    expect(readLiteralCall('AFSimple_Calculate("SUM", ["a"])')?.args).toEqual(['SUM', ['a']]);
  });

  it.each([
    'event.value = 1',
    'AFNumber_Format(2, x)',
    'AFNumber_Format(2); app.alert(1)',
    'AFNumber_Format(1 + 1)',
    'AFNumber_Format(2',
    '// AFNumber_Format(2)',
    'AFNumber_Format("open)',
    '',
  ])('[FILL125] %j: not read', (script) => {
    expect(readLiteralCall(script)).toBe(null);
  });
});

describe('decimal numbers', () => {
  it('[FILL126] sums and products: exact; quotients round half away from zero', () => {
    const number = (text: string) => parseDecimal(text) ?? { units: -1n, scale: 0 };
    expect(decimalText(add(number('0.1'), number('0.2')))).toBe('0.3');
    expect(decimalText(multiply(number('-1.10'), number('3')))).toBe('-3.3');
    expect(decimalText(divide(number('-10'), 3, 6))).toBe('-3.333333');
    expect(decimalText(divide(number('0.0000005'), 1, 6))).toBe('0.000001');
    expect(decimalText(divide(number('-0.0000005'), 1, 6))).toBe('-0.000001');
    for (const text of ['', '.', '1,5', 'x', '1e5', '9'.repeat(61)]) expect(parseDecimal(text)).toBe(null);
  });
});

describe('applyFormat', () => {
  it.each([
    ['AFNumber_Format(2, 0, 0, 0, "$", true)', '1234.5', '$1,234.50'],
    ['AFNumber_Format(2, 0, 0, 0, "$", true)', '-1234.5', '-$1,234.50'],
    ['AFNumber_Format(2, 0, 0, 0, "$", true)', '1,234.5', '$1,234.50'],
    ['AFNumber_Format(2, 2, 0, 0, " €", false)', '1234567.005', '1.234.567,01 €'],
    ['AFNumber_Format(2, 2, 0, 0, "", false)', '1.234,5', '1.234,50'],
    ['AFNumber_Format(0, 1, 0, 0, "", false)', '2.5', '3'],
    ['AFNumber_Format(2, 1, 0, 0, "", false)', '1.005', '1.01'],
    ['AFNumber_Format(2, 1, 0, 0, "", false)', '-0.004', '0.00'],
    ['AFNumber_Format(2, 3, 0, 0, "", false)', '1234.5', '1234,50'],
    ['AFNumber_Format(1, 4, 2, 0, "", false)', '-1234.5', "(1'234.5)"],
    ['AFPercent_Format(1, 0)', '0.1255', '12.6%'],
    ['AFPercent_Format(0, 0)', '-0.5', '-50%'],
    ['AFDate_FormatEx("dd.mm.yyyy")', '2026-02-08', '08.02.2026'],
    ['AFDate_FormatEx("mmmm d, yyyy")', '2026-02-08', 'February 8, 2026'],
    ['AFDate_FormatEx("m/d/yy h:MM tt")', '2026-02-08T15:04', '2/8/26 3:04 pm'],
    ['AFDate_FormatEx("dd/mm/yyyy")', '08/02/2026', '08/02/2026'],
    ['AFDate_Format(5)', '2026-02-08', '8-Feb-26'],
    ['AFTime_Format(1)', '15:04', '3:04 pm'],
    ['AFSpecial_Format(0)', '12345', '12345'],
    ['AFSpecial_Format(2)', '555.123 4567', '(555) 123-4567'],
    ['AFSpecial_Format(3)', '123456789', '123-45-6789'],
  ])('[FILL125] %s with %s: shows %s', (script, text, shown) => {
    expect(formatted(script, text)).toEqual({ text: shown, red: false });
  });

  it('[FILL125] a negative number in a field that shows negative numbers in red: red', () => {
    expect(formatted('AFNumber_Format(2, 0, 1, 0, "", false)', '-5')).toEqual({ text: '5.00', red: true });
    expect(formatted('AFNumber_Format(2, 0, 3, 0, "", false)', '-5')).toEqual({ text: '(5.00)', red: true });
    expect(formatted('AFNumber_Format(2, 0, 3, 0, "", false)', '5')).toEqual({ text: '5.00', red: false });
  });

  it.each([
    ['AFNumber_Format(2, 0, 0, 0, "", false)', 'five'],
    ['AFNumber_Format(2, 0, 0, 0, "", false)', '1,23'],
    ['AFDate_FormatEx("dd.mm.yyyy")', '8 February'],
    ['AFDate_FormatEx("dd.mm.yyyy")', '15:04'],
    ['AFSpecial_Format(0)', '1234'],
  ])('[FILL125] %s with %j: not formatted', (script, text) => {
    expect(formatted(script, text)).toBe(null);
  });
});
