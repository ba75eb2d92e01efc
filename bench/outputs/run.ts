/**
 * Compares the outputs of `rowpress fill` on source A, one thread, alternately in one run: CPU time of the whole process and its
 * largest resident memory.
 *
 *   node bench/outputs/run.ts [rows] [rounds]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OUTPUT_KINDS, type OutputKind } from '#fill/output-kind.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const rows = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 3);
const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
const file = (name: string) => join(dir, name);
try {
  writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
  writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
  writeFileSync(
    file('rows.csv'),
    Array.from({ length: rows }, (_, row) => `${rowCells(row).join(',')}\n`).join(''),
  );
  // The first run builds the program.
  execFileSync(ROWPRESS, ['--version']);
  const best = new Map<string, { cpuSeconds: number; peakMb: number }>();
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of [...OUTPUT_KINDS, 'password'] as const) {
      const inputs = ['--pdf', file('a.pdf'), '--layout', file('layout.json'), '--rows', file('rows.csv')];
      const run = ['fill', ...inputs, '--threads', '1', ...optionsOf(kind), '-o', '/dev/null'];
      const format = ['-o', file('time'), '-f', '%U %S %M'];
      const { status, stderr } = spawnSync('/usr/bin/time', [...format, ROWPRESS, ...run], {
        encoding: 'utf8',
        env: { ...process.env, ROWPRESS_SECRET_KEY: '5'.repeat(64) },
      });
      if (status !== 0) throw new Error(stderr);
      const [user = 0, system = 0, kilobytes = 0] = readFileSync(file('time'), 'utf8')
        .trim()
        .split(' ')
        .map(Number);
      const known = best.get(kind);
      const cpuSeconds = Math.min(known?.cpuSeconds ?? Number.POSITIVE_INFINITY, user + system);
      best.set(kind, { cpuSeconds, peakMb: Math.max(known?.peakMb ?? 0, Math.round(kilobytes / 1024)) });
    }
  }
  const zip = best.get('zip')?.cpuSeconds ?? 0;
  for (const [kind, { cpuSeconds, peakMb }] of best)
    console.log(
      `${kind}: ${cpuSeconds.toFixed(2)} s CPU, ${Math.round(rows / cpuSeconds)} rows per CPU-second, ${(cpuSeconds / zip).toFixed(2)} × zip, ${peakMb} MB`,
    );
} finally {
  rmSync(dir, { recursive: true });
}

/** `password`: one encrypted PDF per row, with a value that differs from row to row as its password. */
function optionsOf(kind: OutputKind | 'password'): string[] {
  return kind === 'password' ? ['--password-column', 'column_0'] : ['--output-kind', kind];
}
