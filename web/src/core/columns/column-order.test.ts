import { describe, expect, it } from 'vitest';
import {
  arrangeColumns,
  chooseByName,
  chooseByPosition,
  differingColumns,
  inOrder,
  usedColumns,
} from './column-order.ts';

const columns = ['Name', 'Town', 'Number', ''].map((label, index) => ({ key: `column_${index}`, label }));
const used = usedColumns(columns, ['column_1', 'column_0', 'column_1']);

describe('the order of a file’s columns', () => {
  it('names that differ at a used position: are listed; others are not compared', () => {
    expect(differingColumns(used, ['NAME', ' town', 'Something'])).toEqual([]);
    expect(differingColumns(used, ['Town', 'Name', 'Number'])).toEqual(used);
    expect(differingColumns(used, ['Name'])).toEqual([{ position: 1, label: 'Town' }]);
    expect(differingColumns(usedColumns(columns, ['column_3', 'column_9']), ['a', 'b', 'c', 'd'])).toEqual(
      [],
    );
  });

  it('by name: finds every used column; one that is missing stays blank', () => {
    expect([...chooseByName(used, ['town', 'Extra', 'NAME'])]).toEqual([
      [0, 2],
      [1, 0],
    ]);
    expect([...chooseByName(used, ['City', 'Name'])]).toEqual([
      [0, 1],
      [1, null],
    ]);
    const unnamed = usedColumns(columns, ['column_0', 'column_3']);
    expect([...chooseByName(unnamed, ['a', 'b', 'Name', 'd'])]).toEqual([
      [0, 2],
      [3, 3],
    ]);
  });

  it('the file’s own order: needs no other', () => {
    expect(arrangeColumns(columns, chooseByPosition(used, 3), ['x', 'y', 'z'])).toBeNull();
    expect(arrangeColumns(columns, chooseByPosition(used, 1), ['x'])).toBeNull();
  });

  it('another order: keeps used columns in place, others with their name, new ones in gaps and at the end', () => {
    const header = ['town', 'Extra', 'NAME', 'More', 'Number'];
    const order = arrangeColumns(columns, chooseByName(used, header), header);
    expect(order).toEqual([2, 0, 4, 1, 3]);
    expect(inOrder(['Paris', 'x', 'Grace'], order ?? [])).toEqual(['Grace', 'Paris', '', 'x', '']);
  });

  it('a file with fewer columns: ends with the last column that is used', () => {
    const header = ['Town', 'Name'];
    expect(arrangeColumns(columns, chooseByName(used, header), header)).toEqual([1, 0]);
    expect(
      arrangeColumns(
        columns,
        new Map([
          [0, 1],
          [1, null],
        ]),
        header,
      ),
    ).toEqual([1, null, 0]);
  });
});
