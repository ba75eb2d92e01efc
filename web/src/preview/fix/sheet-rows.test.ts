import { describe, expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { problemReport } from './problem-report.ts';
import {
  codesOf,
  filteredRows,
  fixProgress,
  involvedColumns,
  markedColumns,
  nextProblem,
  sheetColumns,
  sheetRows,
} from './sheet-rows.ts';

const text = (id: string, value: object) => ({
  id,
  type: 'text',
  page: 1,
  x: 0,
  y: 0,
  width: 90,
  height: 20,
  value,
});
const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  name: 'x',
  columns: ['Id', 'Name', 'Town', 'Note'].map((label, index) => ({ key: `column_${index}`, label })),
  overlays: [
    text('both', { template: '{{column_1}} {{column_2}}' }),
    text('town', { column: 'column_2' }),
    text('fixed', { static: 'x' }),
  ],
});
const clipped = (id: string) => ({ id, code: 'TEXT_CLIPPED', message: 'The text is larger than its box.' });
const missing = { id: 'town', code: 'GLYPH_MISSING', message: 'No font has U+10FFFF.' };
const long = { id: null, code: 'ROW_VALUE_TOO_LONG', message: 'column_3 is longer than 10000 characters.' };
const listed = [
  { row: 2, status: 'success' as const, problems: [clipped('town')] },
  { row: 5, status: 'success' as const, problems: [clipped('both'), missing] },
  { row: 7, status: 'success' as const, problems: [clipped('fixed')] },
  { row: 9, status: 'failed' as const, problems: [long] },
];
const report = { listed, problemRows: [2, 5, 7, 9] };
const patch = (row: number) => ({ row, column: 'column_2', was: 'a', text: 'b' });

describe('the sheet of rows with problems', () => {
  const rows = sheetRows(report, [patch(4), patch(5)], new Map([[4, [missing]]]));
  const columns = sheetColumns(layout, rows, 4);

  it('[EDT124] rows with problems and corrected rows: are listed in order, and only those without problems are fixed', () => {
    expect(rows.map(({ row, isFixed }) => [row, isFixed])).toEqual([
      [2, false],
      [4, true],
      [5, false],
      [7, false],
      [9, false],
    ]);
    expect(fixProgress(rows, report)).toEqual({ fixed: 1, total: 5 });
  });

  it('[EDT124] columns with problems: come first, and the cells that cause a problem are marked', () => {
    expect(columns).toEqual(['column_2', 'column_1', 'column_3', 'column_0']);
    expect(rows.map((row) => markedColumns(layout, row))).toEqual([
      ['column_2'],
      [],
      ['column_1', 'column_2'],
      [],
      ['column_3'],
    ]);
  });

  it('[EDT124] filters by problem and column: keep fixed rows that had the problem', () => {
    const numbers = (code: string | null, column: string | null) =>
      filteredRows(layout, rows, { code, column }).map(({ row }) => row);
    expect(codesOf(rows)).toEqual(['GLYPH_MISSING', 'ROW_VALUE_TOO_LONG', 'TEXT_CLIPPED']);
    expect(involvedColumns(layout, rows, columns)).toEqual(['column_2', 'column_1', 'column_3']);
    expect(numbers('GLYPH_MISSING', null)).toEqual([4, 5]);
    expect(numbers('TEXT_CLIPPED', 'column_2')).toEqual([2, 5]);
    expect(numbers(null, 'column_3')).toEqual([9]);
  });

  it('[EDT127] the next problem: visits every marked cell in order, skips fixed rows and starts again', () => {
    const visited = [];
    let spot = nextProblem(layout, rows, columns, null, 1);
    for (let step = 0; step < 6; step += 1) {
      visited.push(spot);
      spot = nextProblem(layout, rows, columns, spot, 1);
    }
    expect(visited).toEqual([
      { row: 2, column: 'column_2' },
      { row: 5, column: 'column_2' },
      { row: 5, column: 'column_1' },
      { row: 7, column: null },
      { row: 9, column: 'column_3' },
      { row: 2, column: 'column_2' },
    ]);
    expect(nextProblem(layout, rows, columns, { row: 5, column: 'column_2' }, -1)).toEqual(visited[0]);
    expect(nextProblem(layout, rows, columns, { row: 2, column: 'column_2' }, -1)).toEqual(visited[4]);
    expect(nextProblem(layout, [], columns, null, 1)).toBeNull();
  });
});

describe('the problem report', () => {
  it('[EDT132] problems of cells, of a template and of a fixed text: are lines with names and values', () => {
    const cells = listed.map(({ row }) => [`${row}`, `name ${row}`, `say "${row}"`, 'note']);
    expect(problemReport(layout, listed, cells).split('\r\n')).toEqual([
      '\ufeff"Row","Column","Value","Code","Message","Field"',
      '"2","Town","say ""2""","TEXT_CLIPPED","The text is larger than its box.","Text F·2"',
      '"5","Name","name 5","TEXT_CLIPPED","The text is larger than its box.","Text F·1"',
      '"5","Town","say ""5""","TEXT_CLIPPED","The text is larger than its box.","Text F·1"',
      '"5","Town","say ""5""","GLYPH_MISSING","No font has U+10FFFF.","Text F·2"',
      '"7","","","TEXT_CLIPPED","The text is larger than its box.","Text F·3"',
      '"9","Note","note","ROW_VALUE_TOO_LONG","Note is longer than 10000 characters.",""',
      '',
    ]);
  });
});
