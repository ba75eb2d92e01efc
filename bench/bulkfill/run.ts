/**
 * Measures Bulk Fill over HTTP against a baseline of the same machine in the same run:
 *   create    10,000 rows of source A: POST until completed, against the CPU time of `rowpress fill`
 *   stored    bytes stored for the job, against the size of its ZIP
 *   download  of that ZIP, against a bare Node server that sends as many bytes
 *   replay    of that request, against the first call
 *   memory    resident size of the server with four such jobs at once
 *
 *   node bench/bulkfill/run.ts [rows]
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const rows = Number(process.argv[2] ?? 10_000);
const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
chmodSync(dir, 0o755);
const file = (name: string) => join(dir, name);
const env = {
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  ROWPRESS_DATA_DIR: file('data'),
  ROWPRESS_SYNC_WAIT_MS: '600000',
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
};
const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });

writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
const csvOf = (first: number) =>
  Array.from({ length: rows }, (_, row) =>
    rowCells(first + row)
      .map((cell) => `"${cell}"`)
      .join(','),
  ).join('\n');
writeFileSync(file('rows.csv'), csvOf(0));
rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));

const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await new Promise<string>((resolve) => {
    server.stderr.on('data', (said: Buffer) => {
      const ready = /ready at (\S+)/.exec(String(said))?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  const { key } = JSON.parse(
    rowpress('keys', 'create', '--surface', 'bulkfill', '--account', 'bench', '--json'),
  );

  const post = async (idempotencyKey: string, csv: string) => {
    const form = new FormData();
    form.append('pdf', new Blob([readFileSync(file('a.pdf'))]), 'a.pdf');
    form.append('doqlo_file', new Blob([readFileSync(file('a.doqlo'))]), 'a.doqlo');
    form.append('csv_file', new Blob([csv]), 'rows.csv');
    form.append('max_failed_row_percent', '0');
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey };
    const started = performance.now();
    const response = await fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
    const job = (await response.json()) as {
      job_id: string;
      status: string;
      result?: { file_size_bytes: number };
    };
    return {
      ms: performance.now() - started,
      status: job.status,
      id: job.job_id,
      zip: job.result?.file_size_bytes ?? 0,
    };
  };

  const fillCpuMs = cpuOfFill();
  const idle = residentBytes(server.pid ?? 0);
  const first = await post('first', csvOf(0));
  if (first.status !== 'completed') throw new Error(`the job is ${first.status}`);
  const second = await post('second', csvOf(1_000_000));
  const replays: number[] = [];
  for (let i = 0; i < 20; i += 1) replays.push((await post('first', csvOf(0))).ms);
  const replayMs = median(replays);

  const stored = blobBytes();
  const { downloadMs, bareMs } = await compareDownloads(first.zip, async () => {
    const headers = { authorization: `Bearer ${key}` };
    return drain(await fetch(`${url}/v1/bulkfill/export-jobs/${first.id}/download`, { headers }));
  });
  const afterDownload = residentBytes(server.pid ?? 0);
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(server.pid ?? 0));
  }, 50);
  const four = await Promise.all([2, 3, 4, 5].map((n) => post(`four-${n}`, csvOf(n * 2_000_000))));
  clearInterval(watch);

  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const report = {
    rows,
    cores: availableParallelism(),
    node: process.version,
    fill_cpu_ms: Math.round(fillCpuMs),
    post_to_completed_ms: { first: Math.round(first.ms), second: Math.round(second.ms) },
    create_over_fill_cpu: round(second.ms / fillCpuMs),
    create_over_fill_cpu_first: round(first.ms / fillCpuMs),
    zip: mb(first.zip),
    stored_for_two_jobs: mb(stored),
    stored_over_zip: round(stored / (first.zip + second.zip)),
    download_mb_per_s: Math.round(first.zip / 1e3 / downloadMs),
    bare_node_mb_per_s: Math.round(first.zip / 1e3 / bareMs),
    download_over_bare: round(bareMs / downloadMs),
    replay_ms: round(replayMs),
    first_over_replay: round(second.ms / replayMs),
    four_jobs_ms: Math.round(Math.max(...four.map(({ ms }) => ms))),
    rss: { idle: mb(idle), after_download: mb(afterDownload), peak_of_four_jobs: mb(peak) },
  };
  console.log(JSON.stringify(report, null, 2));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dir, { recursive: true, force: true });
}

/** Returns user and system time of the command and its children, as reported by the shell's `times`. */
function cpuOfFill(): number {
  const args = [
    'fill',
    '--pdf',
    file('a.pdf'),
    '--layout',
    file('a.doqlo'),
    '--rows',
    file('rows.csv'),
    '-o',
    '/dev/null',
    '--json',
  ];
  const quoted = args.map((arg) => `'${arg}'`).join(' ');
  const script = `'${ROWPRESS}' ${quoted} >/dev/null 2>&1; times`;
  const said = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
  let ms = 0;
  for (const [, minutes, seconds] of said.matchAll(/(\d+)m([\d.]+)s/g))
    ms += Number(minutes) * 60_000 + Number(seconds) * 1000;
  return ms;
}

function blobBytes(folder = file('data/blobs')): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}

async function drain(response: Response): Promise<void> {
  if (response.status !== 200 || response.body === null) throw new Error(`download: ${response.status}`);
  for await (const _chunk of response.body) void _chunk;
}

/** Measures alternately, so that other load affects both; the best of each counts. */
async function compareDownloads(
  bytes: number,
  download: () => Promise<void>,
): Promise<{ downloadMs: number; bareMs: number }> {
  const program = `
    const { createServer } = require('node:http');
    const chunk = Buffer.alloc(262144, 1);
    createServer(async (request, response) => {
      response.writeHead(200, { 'content-length': ${bytes} });
      let left = ${bytes};
      while (left > 0) {
        const piece = left >= chunk.length ? chunk : chunk.subarray(0, left);
        left -= piece.length;
        if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end();
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const bare = async () => drain(await fetch(`http://127.0.0.1:${String(port).trim()}/`));
  let downloadMs = Number.POSITIVE_INFINITY;
  let bareMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 6; i += 1) {
    downloadMs = Math.min(downloadMs, await timed(download));
    bareMs = Math.min(bareMs, await timed(bare));
  }
  child.kill();
  return { downloadMs, bareMs };
}

async function timed(run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
