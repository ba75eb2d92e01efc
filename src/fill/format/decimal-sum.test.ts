import { describe, expect, it } from 'vitest';
import { DecimalSum } from './decimal-sum.ts';

const sumOf = (values: readonly string[], sign: '.' | ',' | 'mixed' = '.') => {
  const sum = new DecimalSum();
  return values.every((value) => sum.add(value, sign)) ? sum.toString() : null;
};

describe('[FILL267] sums', () => {
  it.each([
    [['0.1', '0.2'], '.', '0.3'],
    [['1,234.50', '-0.5'], '.', '1234.00'],
    [['1.234,5', '0,05'], ',', '1234.55'],
    [['-0.10', '0.05'], '.', '-0.05'],
    [['1e3', '2.5e-1'], '.', '1000.25'],
    [['99999999999999999999', '1'], '.', '100000000000000000000'],
    [[], '.', '0'],
  ] as const)('%j: exact', (values, sign, expected) => {
    expect(sumOf(values, sign)).toBe(expected);
  });

  it('a text that is not a number, or is too long to add: refused', () => {
    expect(sumOf(['1', 'n/a'])).toBeNull();
    expect(sumOf(['1.234'], 'mixed')).toBeNull();
    expect(sumOf(['1e401'])).toBeNull();
  });
});
