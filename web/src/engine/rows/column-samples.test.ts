import { expect, it } from 'vitest';
import { columnSamples } from './column-samples.ts';

it('[EDT41] sample values: the first three different ones of each column, without blanks', () => {
  const lines = [['a', ''], ['a', ' '], ['b', 'x'], ['c'], ['d', 'y']];
  const rows = { info: { rowCount: 5, columnCount: 3 }, cells: (row: number) => lines[row - 1] ?? [] };
  expect(columnSamples(rows)).toEqual([['a', 'b', 'c'], ['x', 'y'], []]);
});
