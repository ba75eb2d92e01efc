/**
 * Cold jobs: a process that starts, fills rows of source A and leaves a complete ZIP on disk. Compares, in interleaved rounds:
 *   plain write   as many bytes from memory, with a flush; nothing else
 *   command       `rowpress fill` as a whole
 *   first job     of a new server: from the request to the downloaded ZIP (elapsed; processor time without the reader's process)
 *   peer          the fastest library of `bench/fill` as a whole program, with fewer rows
 *
 *   cd bench/fill && npm ci && npm run cold                  [-- --rows=5000 --rounds=5]
 *   npm run cold -- --write                                  also writes docs/bench/fill-cold.md
 *
 * Processor time is that of the whole process tree by `perf stat` if it is installed. Otherwise it is the shell's, which does not
 * count the sandboxed process that reads the source.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  createWriteStream,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// First: with changed sources, the command would run from the sources.
import '../../scripts/build-programs.ts';
import { cpuSeconds } from '../capacity/cpu-time.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from './make-sources.ts';
import { median } from './measure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROWPRESS = path.join(ROOT, 'bin/rowpress');
const PEER_ROWS = 300;
const { values: flags } = parseArgs({
  options: { rows: { type: 'string' }, rounds: { type: 'string' }, write: { type: 'boolean' } },
});
const rows = Number(flags.rows ?? 5000);
const rounds = Number(flags.rounds ?? 5);
const hasPerf = spawnSync('perf', ['stat', '-x,', '-e', 'task-clock', 'true']).status === 0;
const folder = mkdtempSync(path.join(tmpdir(), 'rowpress-cold-'));
// As root, the database runs as another user, who must reach the data directory.
chmodSync(folder, 0o755);
const at = (name: string) => path.join(folder, name);

interface Run {
  readonly seconds: number;
  readonly cpu: number;
}
type Contestant = 'plain write' | 'command' | 'first job' | 'peer';

try {
  const load = loadavg()[0] ?? 0;
  writeFileSync(at('A.pdf'), makeSource(SOURCES.A));
  writeFileSync(at('layout.json'), JSON.stringify(LAYOUT));
  const csv = Array.from({ length: rows }, (_, row) =>
    rowCells(row + 1)
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  writeFileSync(at('rows.csv'), `${csv.join('\n')}\n`);
  const inputs = ['--pdf', at('A.pdf'), '--layout', at('layout.json'), '--rows', at('rows.csv')];
  const fill = () => measured([ROWPRESS, 'fill', ...inputs, '-o', at('out.zip')]);
  // The first run fills the cache of compiled code, as on any machine that has run the command before.
  fill();
  const { size } = statSync(at('out.zip'));
  const peer = [process.execPath, fileURLToPath(new URL('cold-peer.ts', import.meta.url)), at('A.pdf')];
  const runs: Record<Contestant, Run[]> = { 'plain write': [], command: [], 'first job': [], peer: [] };
  for (let round = 0; round < rounds; round += 1) {
    runs['plain write'].push(plainWrite(size));
    runs.command.push(fill());
    runs['first job'].push(await firstJob(csv.join('\n')));
    runs.peer.push(measured([...peer, String(PEER_ROWS), at('peer.bin')]));
    process.stderr.write(`round ${round + 1} of ${rounds} done\n`);
  }
  const page = resultsPage(runs, size, load);
  process.stdout.write(page);
  if (flags.write === true) writeFileSync(path.join(ROOT, 'docs/bench/fill-cold.md'), page);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes as many bytes as the ZIP has, from memory that is in no cache of the disk. */
function plainWrite(bytes: number): Run {
  const chunk = Buffer.concat(Array.from({ length: 6 }, () => readFileSync(at('A.pdf')))).subarray(
    0,
    1 << 20,
  );
  const before = process.cpuUsage();
  const started = performance.now();
  const file = openSync(at('plain.bin'), 'w');
  for (let left = bytes; left > 0; left -= chunk.length)
    writeSync(file, chunk, 0, Math.min(left, chunk.length));
  fsyncSync(file);
  closeSync(file);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  rmSync(at('plain.bin'));
  return { seconds, cpu: (user + system) / 1e6 };
}

function measured(command: readonly string[]): Run {
  const timed = ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1', 'bash'];
  const counted = hasPerf ? ['perf', 'stat', '-x,', '-e', 'task-clock', '-o', at('perf')] : [];
  const { status, stderr } = spawnSync('bash', [...timed, ...counted, ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
  const [seconds = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  const milliseconds = hasPerf
    ? Number(/^([\d.]+),.*task-clock/m.exec(readFileSync(at('perf'), 'utf8'))?.[1])
    : 0;
  return { seconds, cpu: hasPerf ? milliseconds / 1000 : user + system };
}

async function firstJob(csv: string): Promise<Run> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    ROWPRESS_DATA_DIR: at('data'),
    ROWPRESS_SYNC_WAIT_MS: '600000',
  };
  const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });
  const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const url = await new Promise<string>((resolve) => {
      server.stderr.on('data', (said: Buffer) => {
        const ready = /ready at (\S+)/.exec(String(said))?.[1];
        if (ready !== undefined) resolve(ready);
      });
    });
    rowpress('layout', 'seal', '--layout', at('layout.json'), '--pdf', at('A.pdf'), '-o', at('A.doqlo'));
    const { key } = JSON.parse(
      rowpress('keys', 'create', '--surface', 'bulkfill', '--account', 'bench', '--json'),
    );
    const form = new FormData();
    form.append('pdf', new Blob([readFileSync(at('A.pdf'))]), 'a.pdf');
    form.append('doqlo_file', new Blob([readFileSync(at('A.doqlo'))]), 'a.doqlo');
    form.append('csv_file', new Blob([csv]), 'rows.csv');
    form.append('max_failed_row_percent', '0');
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'first' };
    const cpuBefore = cpuSeconds(server.pid ?? 0, at('data'));
    const started = performance.now();
    const created = await fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
    const job = (await created.json()) as { job_id: string; status: string };
    if (job.status !== 'completed') throw new Error(`the job is ${job.status}`);
    const zip = await fetch(`${url}/v1/bulkfill/export-jobs/${job.job_id}/download`, { headers });
    const body = zip.body as Parameters<typeof Readable.fromWeb>[0];
    await pipeline(Readable.fromWeb(body), createWriteStream(at('job.zip'), { flush: true }));
    const seconds = (performance.now() - started) / 1000;
    const cpuAfter = cpuSeconds(server.pid ?? 0, at('data'));
    const cpu = cpuAfter.node + cpuAfter.database - cpuBefore.node - cpuBefore.database;
    return { seconds, cpu };
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(at('data'), { recursive: true, force: true });
  }
}

function resultsPage(runs: Readonly<Record<Contestant, readonly Run[]>>, size: number, load: number): string {
  const best = (name: Contestant, of: keyof Run) => Math.min(...runs[name].map((run) => run[of]));
  const middle = (name: Contestant, of: keyof Run) => median(runs[name].map((run) => run[of]));
  const count = (name: Contestant) => (name === 'peer' ? PEER_ROWS : rows);
  const names: readonly (readonly [Contestant, string])[] = [
    ['plain write', 'a plain write of as many bytes'],
    ['command', '`rowpress fill`'],
    ['first job', "a server's first job, with the download"],
    ['peer', `@libpdf/core, incremental (${PEER_ROWS} rows)`],
  ];
  const line = ([name, title]: readonly [Contestant, string]) => {
    const rate = (of: keyof Run) => Math.round(count(name) / middle(name, of)).toLocaleString('en');
    const cells = (of: keyof Run) => `${best(name, of).toFixed(2)} / ${middle(name, of).toFixed(2)} s`;
    return `| ${title} | ${cells('seconds')} | ${rate('seconds')} | ${cells('cpu')} | ${rate('cpu')} |`;
  };
  const share = (of: keyof Run, by: typeof best) =>
    `${Math.round((100 * by('plain write', of)) / by('command', of))} %`;
  const factor = (of: keyof Run, by: typeof best) =>
    `${((by('peer', of) / PEER_ROWS / by('command', of)) * rows).toFixed(1)} ×`;
  return `# Cold fill benchmark

\`bench/fill/cold.ts\` fills ${rows.toLocaleString('en')} rows of source A once per process and leaves the complete ZIP (${Math.round(size / 1e6)} MB) on disk: the start of the
program, the setup of the source and the flush of the file are included. Best / median of ${rounds} interleaved rounds.

${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Node ${process.version}, load average ${load.toFixed(1)} before and ${(loadavg()[0] ?? 0).toFixed(1)} after the run.

| | elapsed | rows per second | processor time | rows per CPU-second |
|---|---|---|---|---|
${names.map(line).join('\n')}

| \`rowpress fill\` | elapsed, best / median | processor time, best / median |
|---|---|---|
| of what the plain write allows | ${share('seconds', best)} / ${share('seconds', middle)} | ${share('cpu', best)} / ${share('cpu', middle)} |
| faster than the peer by | ${factor('seconds', best)} / ${factor('seconds', middle)} | ${factor('cpu', best)} / ${factor('cpu', middle)} |

The processor time of ${hasPerf ? 'the command and the peer is that of their whole process trees' : 'the command does not include the sandboxed process that reads the source'}. That of the first job is the server's and its database's,
without the process that reads the source.
`;
}
