import { expect, test } from 'vitest';
import { axisMarks, shortNumber } from './bar-scale.ts';

test('marks are round and reach the largest value', () => {
  expect(axisMarks(0)).toEqual([0, 1]);
  expect(axisMarks(3)).toEqual([0, 1, 2, 3]);
  expect(axisMarks(10)).toEqual([0, 5, 10]);
  expect(axisMarks(95)).toEqual([0, 25, 50, 75, 100]);
  expect(axisMarks(100_000)).toEqual([0, 25_000, 50_000, 75_000, 100_000]);
  for (const n of [1, 7, 13, 999, 1234, 98_765]) expect(axisMarks(n).at(-1)).toBeGreaterThanOrEqual(n);
});

test('large numbers are short on the axis', () => {
  expect([0, 9999, 25_000, 1_500_000].map(shortNumber)).toEqual(['0', '9999', '25k', '1.5M']);
});
