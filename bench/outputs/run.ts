/**
 * The outputs of `rowpress fill` on source A, one thread, alternately in one run: processor time of the whole process and its largest
 * resident memory. Then groups of rows with a table, and what limits encrypted rows: their hashes alone, the ciphers alone, and qpdf, if
 * it is installed.
 *
 *   node bench/outputs/run.ts [--rows=10000] [--groups=10000] [--rounds=3] [--write]
 *
 * With --write it also writes docs/bench/outputs.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { OUTPUT_KINDS, type OutputKind } from '#fill/output-kind.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';
import { measureGroups, ROWS_PER_GROUP } from './groups.ts';
import { bestOf, type FillCost, measureFill, prepareCommand } from './measure-fill.ts';
import { type PasswordBound, passwordBound } from './password-bound.ts';

type Output = OutputKind | 'password';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const OUTPUTS: readonly Output[] = [...OUTPUT_KINDS, 'password'];
/** Encrypted rows take a hundred times as long as others. */
const PASSWORD_SHARE = 10;
/** Memory must not grow like the file, so one run has this many times the rows. */
const LARGER = 10;
const { values: flags } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    groups: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
});
const rows = Number(flags.rows);
const rounds = Number(flags.rounds);
const folder = mkdtempSync(join(tmpdir(), 'rp-bench-'));
const file = (name: string) => join(folder, name);
const rowsOf = (output: Output) => (output === 'password' ? rows / PASSWORD_SHARE : rows);

try {
  const load = loadavg()[0] ?? 0;
  writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
  writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
  for (const count of new Set(OUTPUTS.map(rowsOf))) writeRows(count);
  prepareCommand();
  const runs = new Map<Output, FillCost[]>(OUTPUTS.map((output) => [output, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const output of OUTPUTS) runs.get(output)?.push(measureFill(folder, argumentsOf(output)));
  const costs = new Map([...runs].map(([output, all]) => [output, bestOf(all)]));
  writeRows(rows * LARGER);
  const larger = measureFill(folder, argumentsOf('merged', rows * LARGER));
  const groups = measureGroups(folder, file('a.pdf'), Number(flags.groups), rounds);
  const page = resultsPage(costs, larger, groups, passwordBound(folder, onePdf()), load);
  process.stdout.write(page);
  if (flags.write) writeFileSync(join(ROOT, 'docs/bench/outputs.md'), page);
} finally {
  rmSync(folder, { recursive: true });
}

function writeRows(count: number): void {
  const lines = Array.from({ length: count }, (_, row) => `${rowCells(row).join(',')}\n`);
  writeFileSync(file(`rows-${count}.csv`), lines.join(''));
}

function argumentsOf(output: Output, count = rowsOf(output)): string[] {
  const inputs = ['--pdf', file('a.pdf'), '--layout', file('layout.json')];
  // A value that differs from row to row is the password.
  const options = output === 'password' ? ['--password-column', 'column_0'] : ['--output-kind', output];
  return [...inputs, '--rows', file(`rows-${count}.csv`), ...options];
}

function onePdf(): Uint8Array {
  const inputs = argumentsOf('zip').slice(0, 6);
  execFileSync(join(ROOT, 'bin/rowpress'), ['fill', ...inputs, '--preview', '1', '-o', file('one.pdf')], {
    stdio: 'ignore',
  });
  return readFileSync(file('one.pdf'));
}

function resultsPage(
  costs: ReadonlyMap<Output, FillCost>,
  larger: FillCost,
  groups: ReadonlyMap<number, FillCost>,
  bound: PasswordBound,
  load: number,
): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const perRow = (output: Output) => (costs.get(output)?.cpuSeconds ?? Number.NaN) / rowsOf(output);
  const outputLines = [...costs].map(
    ([output, { cpuSeconds, peakMb }]) =>
      `| ${output} | ${whole(rowsOf(output))} | ${cpuSeconds.toFixed(2)} s | ${whole(1 / perRow(output))} | ${(perRow(output) / perRow('zip')).toFixed(2)} × | ${peakMb} MB |`,
  );
  const groupLines = [...groups].map(
    ([size, { cpuSeconds, peakMb }]) =>
      `| ${whole(size)} | ${cpuSeconds.toFixed(2)} s | ${whole(size / cpuSeconds)} | ${peakMb} MB |`,
  );
  const { hashesAlone, primitivesAlone, qpdf } = bound;
  return `# Outputs benchmark

\`bench/outputs\` (see the header of \`run.ts\`) compares the outputs of \`rowpress fill\` on source A of [the fill benchmark](fill.md), on one
thread, from the start of the process to its end. Best of ${rounds} interleaved rounds; the processor time is that of the command without the sandboxed
process that reads the source.

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}, load average ${load.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after the run.

| output | rows | processor time | rows per CPU-second | per row against zip | largest resident memory |
|---|---|---|---|---|---|
${outputLines.join('\n')}

\`password\` encrypts each PDF under its row's password. \`merged\` with ${whole(rows * LARGER)} rows takes ${larger.cpuSeconds.toFixed(2)} s and ${larger.peakMb} MB: an entry of the index per row
stays in memory, the pages do not.

## Groups of ${ROWS_PER_GROUP} rows with a table

| groups | processor time | groups per CPU-second | largest resident memory |
|---|---|---|---|
${groupLines.join('\n')}

## What limits encrypted rows

A file of revision 6 has four password hashes, each with 64 rounds or more of AES-128-CBC and SHA-2 over 3 to 8 kB
([decision 0184](../decisions/0184-passwords-of-rows.md)). The bounds are measured in the same run.

| | rows per CPU-second |
|---|---|
| \`rowpress fill --password-column\`, from start to end | ${whole(1 / perRow('password'))} |
| only the four hashes, by Node's cryptography | ${whole(hashesAlone)} |
| only AES and SHA-2 of as many bytes, without any call | ${whole(primitivesAlone)} |
| \`qpdf --encrypt\`, one process per file | ${qpdf === undefined ? 'not installed' : whole(qpdf)} |
`;
}
