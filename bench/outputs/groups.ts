import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bestOf, type FillCost, measureFill } from './measure-fill.ts';

export const ROWS_PER_GROUP = 10;

const layout = {
  format: 'rowpress.layout',
  version: 1,
  columns: [{ key: 'column_0', label: 'Number' }],
  overlays: [
    { id: 'n', type: 'text', page: 1, x: 72, y: 60, width: 200, height: 20, value: { column: 'column_0' } },
    {
      id: 'items',
      type: 'table',
      ...{ page: 1, x: 50, y: 100, width: 480, height: 600, stripe: '#eeeeee', continue_on: 1 },
      columns: [
        { header: 'Item', width: 4, value: { column: 'column_1' } },
        { header: 'Date', width: 2, value: { column: 'column_2' }, format: { date: 'D MMM YYYY' } },
        { header: 'Amount', width: 2, align: 'right', value: { column: 'column_3' }, ...sum() },
      ],
    },
  ],
};

function sum(): object {
  return { format: { number: '#,##0.00' }, total: 'sum' };
}

/**
 * Groups of 10 rows with a table on the source. The rows of a group are scattered over the file. A run of a tenth of the groups shows what
 * the start of the process costs.
 */
export function measureGroups(
  folder: string,
  source: string,
  groups: number,
  rounds: number,
): Map<number, FillCost> {
  const sizes = [groups / 10, groups];
  writeFileSync(join(folder, 'groups.json'), JSON.stringify(layout));
  for (const size of sizes) {
    const lines = Array.from({ length: size * ROWS_PER_GROUP }, (_, row) => lineOf(row, size));
    writeFileSync(join(folder, `groups-${size}.csv`), lines.join(''));
  }
  const runs = new Map<number, FillCost[]>(sizes.map((size) => [size, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) {
      const rows = join(folder, `groups-${size}.csv`);
      const inputs = ['--pdf', source, '--layout', join(folder, 'groups.json'), '--rows', rows];
      runs.get(size)?.push(measureFill(folder, [...inputs, '--group-by', 'Number']));
    }
  }
  return new Map([...runs].map(([size, costs]) => [size, bestOf(costs)]));
}

function lineOf(row: number, groups: number): string {
  const day = String((row % 28) + 1).padStart(2, '0');
  return `G-${row % groups},Writing paper no ${row},2026-11-${day},${row}.25\n`;
}
