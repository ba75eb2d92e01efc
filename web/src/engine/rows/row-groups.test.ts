import { describe, expect, it } from 'vitest';
import { openRows } from './open-rows.ts';
import { groupsOf, rowGroups } from './row-groups.ts';

const READING = { delimiter: null, encoding: null, header: true };
const opened = async (csv: string) => {
  const found = await openRows(new Blob([csv]), 'rows.csv', READING, () => undefined);
  if (!found.ok) throw new Error(found.message);
  return found.rows;
};
const CSV = 'Invoice,Year,Item\nR-1,25,a\nR-2,25,b\n R-1 ,25,c\nR-1,26,d\n,,e\n';

describe('the groups of a rows file', () => {
  it('[EDT244] rows of a group anywhere in the file: one document, in the order of the first rows', async () => {
    const groups = rowGroups(await opened(CSV), ['column_0']);
    if (!groups.ok) throw new Error(groups.message);
    expect(groups.count).toBe(3);
    expect([1, 2, 3].map((group) => groups.rowsOf(group))).toEqual([[1, 3, 4], [2], [5]]);
    expect([1, 2, 3, 4, 5, 6].map((row) => groups.groupOf(row))).toEqual([1, 2, 1, 1, 3, 0]);
    expect(groups.cellsOf(1).rows.map(({ number, cells }) => [number, cells.get('column_2')])).toEqual([
      [1, 'a'],
      [3, 'c'],
      [4, 'd'],
    ]);
  });

  it('[EDT243] two group columns: rows must be equal in both', async () => {
    const rows = await opened(CSV);
    expect(groupsOf(['column_0', 'column_1'], [[1, 5]], rows)).toMatchObject({ count: 4 });
    // Other columns are other groups, even of the same rows.
    expect(groupsOf(['column_0'], [[1, 5]], rows)).toMatchObject({ count: 3 });
  });

  it('[EDT247] some rows: their whole groups, so that a retry repeats documents', async () => {
    const rows = await opened(CSV);
    expect(groupsOf(['column_0'], [[3, 3]], rows)).toEqual({
      ok: true,
      count: 1,
      rows: [
        [1, 1],
        [3, 4],
      ],
    });
  });

  it('[EDT243] a group of more than 5,000 rows: is rejected with the message of the server', async () => {
    const rows = await opened(`Invoice\n${'R-1\n'.repeat(5001)}`);
    expect(rowGroups(rows, ['column_0'])).toEqual({
      ok: false,
      code: 'GROUP_TOO_LARGE',
      message: 'The group that begins with row 1 has more than 5000 rows (row 5001 is the next).',
    });
  });
});
