import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowStore, rowCells } from './row-store.ts';

describe('a store of many rows', () => {
  it('gives back every cell of every row, over the edges of its blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string(), { maxLength: 6 }), { maxLength: 40 }), (rows) => {
        const store = new RowStore();
        const many = Array.from({ length: 60 }, () => rows).flat();
        for (const row of many) store.add(row);
        store.seal();
        expect(store.rowCount).toBe(many.length);
        expect(many.map((_, index) => store.cells(index))).toEqual(many);
      }),
      { numRuns: 30 },
    );
  });

  it('knows its widest row and refuses a row that is not there', () => {
    const store = new RowStore();
    store.add(['a']);
    store.add(['a', 'b', 'c']);
    store.seal();
    expect(store.columnCount).toBe(3);
    expect(() => store.cells(2)).toThrow('bug:');
  });

  it('leaves blank cells out of what the engine gets', () => {
    expect([...rowCells(['x', '', 'z'])]).toEqual([
      ['column_0', 'x'],
      ['column_2', 'z'],
    ]);
  });
});
