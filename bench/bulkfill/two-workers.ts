/**
 * Measures a large Bulk Fill job with one and with two worker processes, alternately. Each worker is pinned to a core of
 * its own; the API process and PostgreSQL run on both. The time of a job is the time from its acceptance to its end.
 *
 *   node bench/bulkfill/two-workers.ts [--rows 50000] [--rounds 3] [--places N]
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connectClient } from '#storage/database.ts';
import { databaseUrl } from '../../test/support/cli.ts';
import { cpuSeconds } from '../capacity/cpu-time.ts';
import { startCountingPostgres } from '../engine/bench-postgres.ts';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    places: { type: 'string' },
  },
});
const [ROWS, ROUNDS] = [Number(values.rows), Number(values.rounds)];
const WARM_UP_ROWS = 10_000;

/** Seconds. */
interface Times {
  readonly total: number;
  readonly untilFirstSlice: number;
  readonly slices: number;
  readonly settle: number;
  /** CPU time of the workers, and of PostgreSQL. */
  readonly workers: number;
  readonly database: number;
}

const postgres = await startCountingPostgres();
const database = await connectClient(postgres.address);
const dir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
chmodSync(dir, 0o755);
const file = (name: string) => join(dir, name);
const env = {
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
  DATABASE_URL: databaseUrl(postgres.address),
  ROWPRESS_BLOBS: `file:${file('blobs')}`,
  ROWPRESS_SECRET_KEY: '11'.repeat(32),
  ROWPRESS_SEAL_KEY: '22'.repeat(32),
  ROWPRESS_SYNC_WAIT_MS: '600000',
  ROWPRESS_BULKFILL_CREATE_PER_MINUTE: '0',
  ROWPRESS_DATA_DIR: file('data-api'),
};
const running: ChildProcess[] = [];
let nextRow = 0;

try {
  writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
  writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
  const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });
  rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));
  const api = await serve([], { ROWPRESS_ROLE: 'api' });
  const { key } = JSON.parse(
    rowpress('keys', 'create', '--surface', 'bulkfill', '--account', 'bench', '--json'),
  );
  const rounds: [Times[], Times[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of [1, 2] as const) {
      const times = await measure(api.url, key, count);
      rounds[count - 1]?.push(times);
      console.error(
        `${count} worker(s): ${describe(times)}, load ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}`,
      );
    }
  const [one, two] = rounds.map(medians) as [Times, Times];
  console.log(`${ROWS} rows, 1 worker: ${describe(one)}`);
  console.log(`${ROWS} rows, 2 workers: ${describe(two)} = ${(one.total / two.total).toFixed(2)} × one`);
} finally {
  await Promise.all(running.map(stop));
  await database.end();
  await postgres.stop();
  rmSync(dir, { recursive: true, force: true });
}

async function serve(
  prefix: readonly string[],
  own: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; url: string }> {
  const [command = ROWPRESS, ...args] = [...prefix, ROWPRESS, 'serve'];
  const child = spawn(command, args, { env: { ...env, ...own }, stdio: ['ignore', 'ignore', 'pipe'] });
  running.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (text: Buffer) => {
      said += String(text);
      const ready = /ready at (\S+)/.exec(said)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    child.once('exit', () => reject(new Error(`a server ended: ${said}`)));
  });
  return { child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function measure(url: string, key: string, count: number): Promise<Times> {
  const workers = await Promise.all(
    Array.from({ length: count }, async (_, core) => {
      const { child } = await serve(['taskset', '-c', String(core)], {
        ROWPRESS_ROLE: 'worker',
        ROWPRESS_DATA_DIR: file(`data-worker-${core}`),
        ...(values.places !== undefined && { ROWPRESS_WORKERS: values.places }),
      });
      return child;
    }),
  );
  await post(url, key, WARM_UP_ROWS * count);
  const cpu = () => workers.map(({ pid }) => cpuSeconds(pid ?? 0, postgres.dataDir));
  const sum = (of: readonly { node: number }[]) => of.reduce((total, { node }) => total + node, 0);
  const before = cpu();
  const id = await post(url, key, ROWS);
  const after = cpu();
  const { rows } = await database.query<Omit<Times, 'workers' | 'database'>>(
    `select extract(epoch from settled_at - created_at)::float8 as total,
       extract(epoch from first - created_at)::float8 as "untilFirstSlice",
       extract(epoch from last - first)::float8 as slices,
       extract(epoch from settled_at - last)::float8 as settle
     from jobs, (select min(started_at) as first, max(finished_at) as last from slices where job_id = $1) s
     where id = $1`,
    [id],
  );
  await Promise.all(workers.map(stop));
  const [times] = rows;
  if (times === undefined) throw new Error('the job is gone');
  return {
    ...times,
    workers: sum(after) - sum(before),
    database: (after[0]?.database ?? 0) - (before[0]?.database ?? 0),
  };
}

/** Returns the id of the job once it has completed. */
async function post(url: string, key: string, rows: number): Promise<string> {
  const csv = Array.from({ length: rows }, (_, row) =>
    rowCells(nextRow + row)
      .map((cell) => `"${cell}"`)
      .join(','),
  ).join('\n');
  nextRow += rows;
  const form = new FormData();
  form.append('pdf', new Blob([readFileSync(file('a.pdf'))]), 'a.pdf');
  form.append('doqlo_file', new Blob([readFileSync(file('a.doqlo'))]), 'a.doqlo');
  form.append('csv_file', new Blob([csv]), 'rows.csv');
  form.append('max_failed_row_percent', '0');
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `job-${nextRow}` };
  const response = await fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
  const job = (await response.json()) as { job_id: string; status: string };
  if (job.status !== 'completed') throw new Error(`the job is ${JSON.stringify(job)}`);
  return job.job_id;
}

function describe({ total, untilFirstSlice, slices, settle, workers, database }: Times): string {
  const [all, first, run, end] = [total, untilFirstSlice, slices, settle].map((time) => time.toFixed(2));
  return `${all} s (${first} until the first slice, ${run} slices, ${end} settle), CPU of workers ${workers.toFixed(1)} s, of PostgreSQL ${database.toFixed(1)} s`;
}

function medians(rounds: readonly Times[]): Times {
  const of = (key: keyof Times) =>
    rounds.map((times) => times[key]).sort((a, b) => a - b)[Math.floor(rounds.length / 2)] ?? 0;
  return {
    total: of('total'),
    untilFirstSlice: of('untilFirstSlice'),
    slices: of('slices'),
    settle: of('settle'),
    workers: of('workers'),
    database: of('database'),
  };
}
