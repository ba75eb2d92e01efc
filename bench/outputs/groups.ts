/**
 * Groups of 10 rows with a table on source A, one thread: CPU time of `rowpress fill` and its largest resident memory. The rows of a
 * group are scattered over the file. A run of a tenth of the groups shows what the start of the process costs.
 *
 *   node bench/outputs/groups.ts [groups] [rounds]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSource, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const ROWS_PER_GROUP = 10;
const groups = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 3);
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

const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
const file = (name: string) => join(dir, name);
try {
  writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
  writeFileSync(file('layout.json'), JSON.stringify(layout));
  // The first run builds the program.
  execFileSync(ROWPRESS, ['--version']);
  const sizes = [groups / 10, groups];
  const best = new Map<number, { cpuSeconds: number; peakMb: number }>();
  for (const size of sizes) {
    const lines = Array.from(
      { length: size * ROWS_PER_GROUP },
      (_, row) =>
        `G-${row % size},Writing paper no ${row},2026-11-${(row % 28) + 1 < 10 ? '0' : ''}${(row % 28) + 1},${row}.25\n`,
    );
    writeFileSync(file(`${size}.csv`), lines.join(''));
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const size of sizes) {
      const inputs = ['--pdf', file('a.pdf'), '--layout', file('layout.json'), '--rows', file(`${size}.csv`)];
      const run = ['fill', ...inputs, '--threads', '1', '--group-by', 'Number', '-o', '/dev/null', '--json'];
      const format = ['-o', file('time'), '-f', '%U %S %M'];
      const { status, stderr } = spawnSync('/usr/bin/time', [...format, ROWPRESS, ...run], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      const [user = 0, system = 0, kilobytes = 0] = readFileSync(file('time'), 'utf8')
        .trim()
        .split(' ')
        .map(Number);
      const known = best.get(size);
      const cpuSeconds = Math.min(known?.cpuSeconds ?? Number.POSITIVE_INFINITY, user + system);
      best.set(size, { cpuSeconds, peakMb: Math.max(known?.peakMb ?? 0, Math.round(kilobytes / 1024)) });
    }
  }
  for (const [size, { cpuSeconds, peakMb }] of best)
    console.log(
      `${size} groups of ${ROWS_PER_GROUP} rows: ${cpuSeconds.toFixed(2)} s CPU, ${Math.round(size / cpuSeconds)} groups per CPU-second, ${peakMb} MB`,
    );
} finally {
  rmSync(dir, { recursive: true });
}
