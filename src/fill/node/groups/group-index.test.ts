import { closeSync, openSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { GroupCells } from '#lib/rows/group-cells.ts';
import { MAX_GROUP_ROWS } from '#lib/rows/group-numbers.ts';
import type { RowCells } from '#lib/rows/row-cells.ts';
import { normalisedRow } from '#lib/rows/rows-digest.ts';
import { packRows, unpackRows } from '../threads/packed-rows.ts';
import { splitRowLines } from '../threads/row-lines.ts';
import { GroupIndex } from './group-index.ts';
import { groupLines } from './group-lines.ts';

const row = (key: string, value = ''): RowCells =>
  new Map(Object.entries({ column_0: key, column_1: value }).filter(([, text]) => text !== ''));

async function grouped(rows: readonly RowCells[], columns = ['column_0']): Promise<RowCells[]> {
  const directory = await mkdtemp(join(tmpdir(), 'rp-groups-'));
  const index = new GroupIndex(columns);
  const lines = rows.map((cells) => `${normalisedRow(cells)}\n`);
  for (const [n, cells] of rows.entries()) index.add(cells, Buffer.byteLength(lines[n] ?? ''));
  const path = join(directory, 'rows');
  writeFileSync(path, lines.join(''));
  const file = openSync(path, 'r');
  onTestFinished(async () => {
    closeSync(file);
    await rm(directory, { recursive: true });
  });
  expect(index.rows).toBe(rows.length);
  const groups = [...groupLines(file, index)];
  expect(groups).toHaveLength(index.count);
  return [...splitRowLines(Buffer.concat(groups))];
}

const numbersOf = (documents: readonly RowCells[]) =>
  documents.map((document) =>
    document instanceof GroupCells ? document.rows.map(({ number }) => number) : null,
  );

describe('[FILL260] groups of rows', () => {
  it('rows that are not adjacent: groups in the order of their first rows, rows in the order of the input', async () => {
    const rows = ['B', 'A', 'B', 'C', 'A', 'B'].map((key, n) => row(key, `ü${n}`));
    const documents = await grouped(rows);
    expect(numbersOf(documents)).toEqual([[1, 3, 6], [2, 5], [4]]);
    expect(documents.map((document) => document.get('column_1'))).toEqual(['ü0', 'ü1', 'ü3']);
    const [first] = documents as GroupCells[];
    expect(first?.rows.map(({ cells }) => cells.get('column_1'))).toEqual(['ü0', 'ü2', 'ü5']);
  });

  it('values: are compared without white space around them, with case, over all columns', async () => {
    const rows = [row('A', '1'), row(' A ', '1'), row('a', '1'), row('A', '2'), row(''), row('', '1')];
    expect(numbersOf(await grouped(rows))).toEqual([[1, 2, 4], [3], [5, 6]]);
    const both = await grouped(rows, ['column_0', 'column_1']);
    expect(numbersOf(both)).toEqual([[1, 2], [3], [4], [5], [6]]);
  });

  it('long values and values that look like two columns: do not collide', async () => {
    const long = 'x'.repeat(5000);
    const rows = [row(`${long}1`), row(`${long}2`), row(`${long}1`), row('a","b', ''), row('a', 'b')];
    expect(numbersOf(await grouped(rows, ['column_0', 'column_1']))).toEqual([[1, 3], [2], [4], [5]]);
  });

  it('more rows than a group may have: refused with the first row of the group', () => {
    const index = new GroupIndex(['column_0']);
    index.add(row('other'), 1);
    for (let n = 0; n < MAX_GROUP_ROWS; n += 1) index.add(row('A'), 1);
    expect(() => index.add(row('A'), 1)).toThrow(
      'The group that begins with row 2 has more than 5000 rows (row 5002 is the next).',
    );
  });

  it('groups between threads: arrive as they were sent', async () => {
    const documents = await grouped([row('A', '1'), row('B'), row('A', '2')]);
    const sent = [...unpackRows(packRows([...documents, row('C')]))];
    expect(numbersOf(sent)).toEqual([[1, 3], [2], null]);
    expect((sent[0] as GroupCells).rows.map(({ cells }) => [...cells])).toEqual([
      [
        ['column_0', 'A'],
        ['column_1', '1'],
      ],
      [
        ['column_0', 'A'],
        ['column_1', '2'],
      ],
    ]);
  });
});
