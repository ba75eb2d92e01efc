import { expect, test } from 'vitest';
import { movedLabels } from './moved-labels.ts';

const columns = ['Name', 'Town', ''].map((label, index) => ({ key: `column_${index}`, label, used: true }));

test('[BF123] a header: labels at other positions are warned of, in any spelling; unclear and missing ones are not', () => {
  expect(movedLabels(columns, ['Name', 'Town', 'Year'])).toEqual([]);
  expect(movedLabels(columns, ['name ', 'TOWN'])).toEqual([]);
  expect(movedLabels(columns, ['town', 'Name'])).toEqual([
    {
      code: 'COLUMN_LABEL_MOVED',
      message: 'The header has "Name" at position 1, the package at position 0. Rows were read by position.',
      expected: 0,
      actual: 1,
    },
    {
      code: 'COLUMN_LABEL_MOVED',
      message: 'The header has "Town" at position 0, the package at position 1. Rows were read by position.',
      expected: 1,
      actual: 0,
    },
  ]);
  expect(movedLabels(columns, ['A', 'B', 'C'])).toEqual([]);
  expect(movedLabels(columns, ['', 'Town', 'Town'])).toEqual([]);
});
