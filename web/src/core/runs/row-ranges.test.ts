import { describe, expect, it } from 'vitest';
import {
  countRows,
  fileRowOf,
  includesRow,
  jobRowOf,
  rangesOf,
  rangesWords,
  startsAtFirstRow,
} from './row-ranges.ts';

describe('the rows of a run', () => {
  it('[EDT66] a list of rows: the shortest ranges, and each row of the job has its number in the file', () => {
    const ranges = rangesOf([9, 7, 8, 230, 7, 19]);
    expect(ranges).toEqual([
      [7, 9],
      [19, 19],
      [230, 230],
    ]);
    expect(countRows(ranges)).toBe(5);
    expect([1, 2, 3, 4, 5].map((row) => fileRowOf(ranges, row))).toEqual([7, 8, 9, 19, 230]);
    expect([7, 8, 9, 19, 230, 6, 10].map((row) => jobRowOf(ranges, row))).toEqual([
      1,
      2,
      3,
      4,
      5,
      undefined,
      undefined,
    ]);
    expect(() => fileRowOf(ranges, 6)).toThrow('no row 6');
    expect([6, 7, 9, 10, 230].map((row) => includesRow(ranges, row))).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
    expect([[[1, 3]], [[2, 3]], ranges, []].map((some) => startsAtFirstRow(some as never))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('[EDT66] rows in words: singular, ranges, and a count of what is left out', () => {
    expect(rangesWords(rangesOf([7]))).toBe('row 7');
    expect(rangesWords(rangesOf([7, 19, 230, 231]))).toBe('rows 7, 19 and 230–231');
    expect(rangesWords(rangesOf([1, 3, 5, 7, 9, 11, 13]))).toBe('rows 1, 3, 5, 7, 9, 11 and 13');
    expect(rangesWords(rangesOf([1, 3, 5, 7, 9, 11, 13, 15, 16]))).toBe('rows 1, 3, 5, 7, 9, 11 and 3 more');
    expect(rangesWords([])).toBe('rows none');
  });
});
