import { describe, expect, it } from 'vitest';
import { readNumber } from './read-number.ts';

describe('readNumber', () => {
  it('[EDT36] a number in the usual spellings: its value', () => {
    expect(readNumber(' 12,5 ', {})).toEqual({ value: 12.5 });
    expect(readNumber('50 %', { min: 0, max: 100, unit: '%' })).toEqual({ value: 50 });
  });

  it('[EDT36] a text that is not a number, or a number outside the limits: the reason, and no other number', () => {
    const limits = { min: 1, max: 2000, unit: 'pt' };
    const problem = 'Enter a number from 1 to 2000 pt.';
    expect(readNumber('12 points', limits)).toEqual({ problem });
    expect(readNumber('', limits)).toEqual({ problem });
    expect(readNumber('0', limits)).toEqual({ problem });
    expect(readNumber('2001', limits)).toEqual({ problem });
  });

  it('[EDT36] a page number: whole, and within the PDF', () => {
    const pages = { min: 1, max: 3, whole: true, unit: 'of 3' };
    expect(readNumber('3', pages)).toEqual({ value: 3 });
    expect(readNumber('4', pages)).toEqual({ problem: 'Enter a whole number from 1 to 3.' });
    expect(readNumber('1.5', pages)).toEqual({ problem: 'Enter a whole number from 1 to 3.' });
  });
});
