import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactPdfNumber, pdfNumber } from './pdf-number.ts';

describe('pdfNumber', () => {
  it('[FILL40] any number: at most three decimals, without exponent or trailing zeros', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [-0, '0'],
      [1, '1'],
      [-12, '-12'],
      [0.5, '.5'],
      [-0.25, '-.25'],
      [12.3456, '12.346'],
      [1e-9, '0'],
      [-1e-9, '0'],
      [1234567.001, '1234567.001'],
      [2.05, '2.05'],
    ];
    for (const [value, text] of cases) expect(pdfNumber(value)).toBe(text);
  });

  it('[FILL40] any number: within half a thousandth of the value', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const text = pdfNumber(value);
        expect(text).toMatch(/^-?(\d+|\d*\.\d{1,3})$/);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.0005000001);
      }),
    );
  });
});

describe('exactPdfNumber', () => {
  it('a number of the source: kept exactly, without an exponent', () => {
    expect(exactPdfNumber(612)).toBe('612');
    expect(exactPdfNumber(0.333333)).toBe('0.333333');
    expect(exactPdfNumber(1e21)).toMatch(/^\d+$/);
    expect(exactPdfNumber(1e-12)).toBe('0');
    expect(exactPdfNumber(Number.NaN)).toBe('0');
  });
});
