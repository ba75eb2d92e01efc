import { describe, expect, it } from 'vitest';
import { bindColumns } from '#lib/rows/bind-columns.ts';
import {
  arrangeColumns,
  choiceStatus,
  chooseByName,
  chooseByPosition,
  decideColumns,
  differingColumns,
  inOrder,
  newColumns,
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

  it.each([
    ['the same names at the same positions', ['Name', 'Town', 'Number'], 'as-is'],
    ['similar names at the same positions', ['NAME', ' town ', 'Other'], 'as-is'],
    ['the used columns in another order', ['Town', 'Name'], 'moved'],
    ['a new column before them', ['Id', 'Name', 'Town'], 'moved'],
    ['a used column that the file lacks', ['Name', 'City'], 'open'],
    ['a used column that is last and cut off', ['Name'], 'open'],
    ['an equal name beside similar ones', ['Name', 'Town', 'name', 'NAME'], 'as-is'],
    ['two similar names and no equal one', ['name', 'Town', 'NAME'], 'open'],
    ['the same name twice', ['Name', 'Town', 'Name'], 'open'],
    ['no names at all', ['', '', ''], 'open'],
  ])('[EDT40][EDT41] %s: %j is %s', (_, header, is) => {
    expect(decideColumns(used, header).is).toBe(is);
  });

  it('[EDT40] a used column without a name: keeps its position, unless others moved or the file ends before it', () => {
    const unnamed = usedColumns(columns, ['column_0', 'column_3']);
    expect(decideColumns(unnamed, ['Name', 'b', 'c', 'd']).is).toBe('as-is');
    expect(decideColumns(unnamed, ['b', 'Name', 'c', 'd']).is).toBe('open');
    expect(decideColumns(unnamed, ['Name', 'b', 'c']).is).toBe('open');
  });

  it('[EDT40] moved columns: are counted and arranged', () => {
    const header = ['Town', 'Extra', 'Name'];
    const decision = decideColumns(used, header);
    if (decision.is !== 'moved') throw new Error('the columns have moved');
    expect(decision.moved.map(({ label }) => label)).toEqual(['Name', 'Town']);
    expect(arrangeColumns(columns, decision.choices, header)).toEqual([2, 0, 1]);
  });

  it('[EDT41] a choice in the table: is shown as exact, similar, moved, other, missing or ambiguous', () => {
    const header = ['Name', 'TOWN', 'Town', 'x'];
    const [name, town] = bindColumns(used, header);
    if (name === undefined || town === undefined) throw new Error('two columns are used');
    expect(choiceStatus(name, 0, header)).toBe('exact');
    expect(choiceStatus(town, 1, header)).toBe('similar');
    expect(choiceStatus(town, 2, header)).toBe('moved');
    expect(choiceStatus(town, 3, header)).toBe('other');
    expect(choiceStatus(town, null, header)).toBe('missing');
    const twice = ['Name', 'Town', 'Town'];
    const [, other] = bindColumns(used, twice);
    if (other === undefined) throw new Error('two columns are used');
    expect(choiceStatus(other, null, twice)).toBe('ambiguous');
    expect(choiceStatus(other, 1, twice)).toBe('ambiguous');
  });

  it('[EDT41] columns that the project does not have: are new', () => {
    expect(newColumns(columns, ['town', 'City', 'NAME', 'Extra'])).toEqual([1, 3]);
  });
});
