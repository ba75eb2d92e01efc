/**
 * What filling one form for many rows costs with the tools people use today: each tool's whole program, from the CSV file to one PDF per
 * row on disk, with everything it starts. Rowpress writes its ZIP.
 *
 *   cd bench/compare && npm ci && npm start         prints the results; pdftk takes part if it is installed
 *   npm start -- --write                            also writes docs/bench/compare.md
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTask } from './make-task.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROUNDS = 3;
const LONG = 10_000;

interface Way {
  readonly name: string;
  /** Slow tools fill fewer rows; rates are compared, not times. */
  readonly rows: number;
  readonly command: (folder: string, rows: number) => readonly string[];
}
const script = (file: string) => (folder: string, rows: number) => [
  process.execPath,
  fileURLToPath(new URL(`peers/${file}.ts`, import.meta.url)),
  folder,
  String(rows),
];
const ways: readonly Way[] = [
  { name: '`rowpress fill`', rows: LONG, command: rowpress },
  { name: 'a pdf-lib script', rows: 1_000, command: script('pdf-lib') },
  { name: 'a pdfme script', rows: 200, command: script('pdfme') },
  { name: 'pdftk, once per row', rows: 40, command: script('pdftk') },
];

function rowpress(folder: string, rows: number): readonly string[] {
  const layout = path.join(folder, 'layout.json');
  const part = path.join(folder, `rows-${rows}.csv`);
  spawnSync('sh', ['-c', `head -n ${rows} "${folder}/rows.csv" > "${part}"`]);
  const bin = path.join(ROOT, 'bin/rowpress');
  spawnSync(bin, ['layout', 'from-form', path.join(folder, 'form.pdf'), '-o', layout]);
  const files = ['--pdf', path.join(folder, 'form.pdf'), '--layout', layout, '--rows', part];
  return [bin, 'fill', ...files, '--flatten-forms', '-o', path.join(folder, 'out.zip')];
}

/** Runs a command. Returns its wall-clock time and the processor time of its whole process tree, in seconds. */
function measure(command: readonly string[]): { seconds: number; cpu: number } {
  const measured = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1', 'bash', ...command];
  const { status, stderr } = spawnSync('bash', measured, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { seconds, cpu: user + system };
}

const installed = ways.filter(
  ({ name }) => !name.startsWith('pdftk') || spawnSync('pdftk', ['--version']).status === 0,
);
const load = loadavg()[0] ?? 0;
const folder = mkdtempSync(path.join(tmpdir(), 'rowpress-compare-'));
try {
  await makeTask(folder, LONG);
  const best = new Map<string, { seconds: number; cpu: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, rows, command } of installed) {
      const run = measure(command(folder, rows));
      const known = best.get(name);
      if (known === undefined || run.cpu < known.cpu) best.set(name, run);
    }
  }
  const rates = installed.map(({ name, rows }) => {
    const { seconds, cpu } = best.get(name) ?? { seconds: Number.NaN, cpu: Number.NaN };
    return { name, rows, perSecond: rows / seconds, perCpuSecond: rows / cpu };
  });
  const ours = rates[0]?.perCpuSecond ?? Number.NaN;
  const figure = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });
  const lines = rates.map(
    ({ name, rows, perSecond, perCpuSecond }) =>
      `| ${name} | ${figure(rows)} | ${figure(perSecond)} | ${figure(perCpuSecond)} | ${name.startsWith('`') ? '' : `${figure(ours / perCpuSecond)} ×`} |`,
  );
  const page = `# Comparison benchmark

\`bench/compare\` (see the header of \`run.ts\`) fills a one-page form with five text fields, one flattened PDF per row, with each tool's whole
program: start, CSV, PDFs on disk. Short runs include the start of the program. The best of ${ROUNDS} interleaved rounds counts.

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}, load average ${load.toFixed(1)} before the run.

| | rows | rows per second | rows per CPU-second | Rowpress is faster by |
|---|---|---|---|---|
${lines.join('\n')}
`;
  process.stdout.write(page);
  if (process.argv.includes('--write')) writeFileSync(path.join(ROOT, 'docs/bench/compare.md'), page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
