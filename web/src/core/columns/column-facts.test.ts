import { describe, expect, it } from 'vitest';
import { ColumnCounter, detectType, inputToDeclare, misfits } from './column-facts.ts';
import { typeWords } from './type-words.ts';

const factsOf = (...values: readonly string[]) => {
  const counter = new ColumnCounter();
  for (const value of values) counter.see(value);
  return counter.facts();
};

describe('[EDT45] the type of a column, from its values', () => {
  it.each([
    [['Ada', 'Kurt'], 'Text'],
    [['', ' '], 'Blank'],
    [['12', '7', ''], 'Number'],
    [['1.234,56', '7'], 'Number · 1.234,56'],
    [['1,234.56', '7'], 'Number · 1,234.56'],
    [['1.5', '-2.25'], 'Number · 1,234.56'],
    [['00123', '04109'], 'Text'],
    [['2026-01-31', '2026-02-01T10:00'], 'Date · year-month-day'],
    [['31.12.2025', '1.2.2026'], 'Date · day.month.year'],
    [['03.04.2026'], 'Date · day.month.year'],
    [['12/31/2025', '01/02/2026'], 'Date · month/day/year'],
    [['31/12/25'], 'Date · day/month/year (2 digits)'],
    [['2026/01/31'], 'Date · year/month/day'],
  ])('%j: %s', (values, words) => {
    expect(typeWords(factsOf(...values), undefined)).toMatchObject({ words, misfits: 0, isUnclear: false });
  });

  it('[EDT46] dates that fit both orders, and numbers that fit both signs: are ambiguous and declare nothing', () => {
    const dates = factsOf('03/04/2026', '05/06/2026');
    expect(typeWords(dates, undefined)).toMatchObject({ words: 'Date · ambiguous', isUnclear: true });
    expect(detectType(dates)).toEqual({
      type: 'unclear',
      choices: [
        { type: 'date', pattern: 'DD/MM/YYYY' },
        { type: 'date', pattern: 'MM/DD/YYYY' },
      ],
    });
    expect(inputToDeclare(dates)).toBeUndefined();
    expect(typeWords(factsOf('1.234', '5'), undefined).words).toBe('Number · ambiguous');
    // One value decides for all.
    expect(typeWords(factsOf('03/04/2026', '25/06/2026'), undefined).words).toBe('Date · day/month/year');
    expect(typeWords(factsOf('1.234', '5,5'), undefined).words).toBe('Number · 1.234,56');
  });

  it('values that do not fit: are counted for the detected and for a chosen type', () => {
    const dates = factsOf(...Array.from({ length: 19 }, (_, index) => `${index + 10}.01.2026`), 'unknown');
    expect(typeWords(dates, undefined)).toMatchObject({ words: 'Date · day.month.year', misfits: 1 });
    expect(misfits(dates, { type: 'date', pattern: 'MM.DD.YYYY' })).toBe(17);
    expect(misfits(dates, { type: 'text' })).toBe(0);
    expect(misfits(factsOf('1,5', '2.5', '3'), { type: 'number', decimal: ',' })).toBe(1);
    // Dates in ISO 8601 are read whatever is declared.
    expect(misfits(factsOf('2026-01-31', '31.01.2026'), { type: 'date', pattern: 'DD.MM.YYYY' })).toBe(0);
    // A day that does not exist does not fit.
    expect(misfits(factsOf('31.02.2026'), { type: 'date', pattern: 'DD.MM.YYYY' })).toBe(1);
  });
});
