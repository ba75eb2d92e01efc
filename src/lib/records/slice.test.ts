import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';
import { SliceCutter } from './slice.ts';

test('records within the limits: slices are numbered from 1 and follow each other', () => {
  const cutter = new SliceCutter({ maxRows: 2, maxBytes: 100 });
  for (let at = 0; at < 50; at += 10) cutter.add(at, at + 9, at / 10 + 1);
  cutter.cut();
  expect(cutter.rows).toBe(5);
  expect(cutter.take()).toEqual([
    { start: 0, end: 19, firstRow: 1, rows: 2, line: 1 },
    { start: 20, end: 39, firstRow: 3, rows: 2, line: 3 },
    { start: 40, end: 49, firstRow: 5, rows: 1, line: 5 },
  ]);
  expect(cutter.take()).toEqual([]);
});

test('a first slice of few rows: each further one holds twice as many, up to the limit', () => {
  const cutter = new SliceCutter({ maxRows: 5, firstRows: 1, maxBytes: 100 });
  for (let at = 0; at < 15; at += 1) cutter.add(at, at + 1);
  cutter.cut();
  expect(cutter.take().map(({ firstRow, rows }) => [firstRow, rows])).toEqual([
    [1, 1],
    [2, 2],
    [4, 4],
    [8, 5],
    [13, 3],
  ]);
});

test('a record that does not fit into the open slice: starts the next one', () => {
  const cutter = new SliceCutter({ maxRows: 10, maxBytes: 25 });
  for (const [start, end] of [
    [0, 10],
    [10, 20],
    [20, 30],
    [30, 90],
    [90, 95],
  ] as const)
    cutter.add(start, end);
  cutter.cut();
  expect(cutter.take().map(({ start, end, rows }) => [start, end, rows])).toEqual([
    [0, 20, 2],
    [20, 30, 1],
    [30, 90, 1],
    [90, 95, 1],
  ]);
});

test('blank records before a row: count as rows of its slice', () => {
  const cutter = new SliceCutter({ maxRows: 3, maxBytes: 100 });
  cutter.add(0, 10, 2, false, 4);
  cutter.add(10, 12, 6);
  cutter.cut();
  expect(cutter.take()).toEqual([
    { start: 0, end: 10, firstRow: 1, rows: 4, line: 2 },
    { start: 10, end: 12, firstRow: 5, rows: 1, line: 6 },
  ]);
});

test('an oversized record and a deep one: are unread slices that keep the numbering', () => {
  const cutter = new SliceCutter({ maxRows: 10, maxBytes: 100, maxRecordBytes: 5 });
  cutter.add(0, 4, 1);
  cutter.add(4, 10, 2);
  cutter.add(10, 13, 3, true);
  cutter.add(13, 15, 4);
  cutter.cut();
  expect(cutter.take()).toEqual([
    { start: 0, end: 4, firstRow: 1, rows: 1, line: 1 },
    { start: 4, end: 10, firstRow: 2, rows: 1, line: 2, oversized: true },
    { start: 10, end: 13, firstRow: 3, rows: 1, line: 3, tooDeep: true },
    { start: 13, end: 15, firstRow: 4, rows: 1, line: 4 },
  ]);
});

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\nb', ['a', '', 'b']],
])('the lines of %j: %j', (text, lines) => {
  const decoder = new TextDecoder();
  expect(Array.from(linesOf(new TextEncoder().encode(text)), (line) => decoder.decode(line))).toEqual(lines);
});
