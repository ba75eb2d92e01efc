import { describe, expect, it } from 'vitest';
import { differInPatchesOnly, rowsThatDiffer, withoutPatches, withPatches } from './cell-patches.ts';

const patch = (row: number, column: string, was: string, text: string) => ({ row, column, was, text });

describe('corrections of cells', () => {
  const first = withPatches([], [patch(3, 'column_1', 'a', 'b'), patch(1, 'column_0', 'x', 'y')]);

  it('[EDT125] several corrections: are kept in row order', () => {
    expect(first).toEqual([patch(1, 'column_0', 'x', 'y'), patch(3, 'column_1', 'a', 'b')]);
  });

  it('[EDT125] a cell corrected twice: keeps the text of the file', () => {
    expect(withPatches(first, [patch(3, 'column_1', 'b', 'c')])).toEqual([
      patch(1, 'column_0', 'x', 'y'),
      patch(3, 'column_1', 'a', 'c'),
    ]);
  });

  it('[EDT125] a cell that gets its text in the file back: is not corrected', () => {
    expect(withPatches(first, [patch(3, 'column_1', 'b', 'a')])).toEqual([patch(1, 'column_0', 'x', 'y')]);
    expect(withPatches([], [patch(2, 'column_0', 'same', 'same')])).toEqual([]);
  });

  it('[EDT126] two states: names only the rows whose cells differ', () => {
    const next = withPatches(first, [patch(3, 'column_1', 'b', 'c'), patch(7, 'column_2', '', 'new')]);
    expect(rowsThatDiffer(first, next)).toEqual([3, 7]);
    expect(rowsThatDiffer(next, withoutPatches(next, [patch(1, 'column_0', 'x', 'y')]))).toEqual([1]);
    expect(rowsThatDiffer(first, [...first])).toEqual([]);
  });

  it('[EDT126] reading options: differ in more than corrections if any of them changed', () => {
    const reading = { header: true, delimiter: null, patches: { file: 'f', cells: first } };
    expect(differInPatchesOnly(reading, { ...reading, patches: null })).toBe(true);
    expect(differInPatchesOnly(reading, { ...reading, header: false })).toBe(false);
  });
});
