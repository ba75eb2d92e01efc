import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, neutraliseCell, restoreCell } from './safe-cell.ts';

test.each(['=1+1', '+1 234', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "'=1", '＝1'])(
  '[SUB51] the cell %j: is written as text',
  (cell) => {
    expect(neutraliseCell(cell)).toBe(`'${cell}`);
  },
);

test.each(['Ada', '-5', '+3.25', "O'Neil", "'quoted'", '', 'a=b'])(
  '[SUB51] the cell %j: is written unchanged',
  (cell) => {
    expect(neutraliseCell(cell)).toBe(cell);
  },
);

test('[SUB51] a cell that is written and read: is unchanged', () => {
  const anyCell = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '1', '.', 'a', ' ', '"', '\n'),
    maxLength: 8,
  });
  fc.assert(
    fc.property(anyCell, (cell) => {
      const safe = neutraliseCell(cell);
      expect(restoreCell(safe)).toBe(cell);
      expect(/^[=+\-@\t\r]/.test(safe) && !/^[+-]?\d+(\.\d+)?$/.test(safe)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('[SUB50] written lines: another RFC 4180 parser reads the same cells', () => {
  const cells = fc.array(fc.string({ maxLength: 10 }), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(cells, (row) => {
      expect(parse(csvLine(row), { record_delimiter: '\r\n', relax_column_count: true })).toEqual([row]);
    }),
  );
});
