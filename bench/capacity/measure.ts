/**
 * Measures what jobs of different sizes cost the server and its database, in processor time, and writes parameters.json.
 * Processor time depends less on other work of the machine than elapsed time does. The sizes alternate in rounds.
 *
 *   node bench/capacity/measure.ts [rounds]
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAYOUT, makeSource, rowCells, SOURCES } from '../fill/make-sources.ts';
import { cpuSeconds } from './cpu-time.ts';
import { PARAMETERS, type Parameters, type Point } from './parameters.ts';

const ROWPRESS = fileURLToPath(new URL('../../bin/rowpress', import.meta.url));
const rounds = Number(process.argv[2] ?? 3);
const WARM_UP = 2;
type Plan = Pick<Point, 'work' | 'size' | 'jobs' | 'clients' | 'isBasis'>;
const PLANS: readonly Plan[] = [
  { work: 'bulkfill', size: 1, jobs: 120, clients: 8, isBasis: true },
  { work: 'bulkfill', size: 100, jobs: 80, clients: 8, isBasis: false },
  { work: 'bulkfill', size: 1_000, jobs: 24, clients: 4, isBasis: true },
  { work: 'bulkfill', size: 3_000, jobs: 12, clients: 4, isBasis: false },
  { work: 'bulkfill', size: 10_000, jobs: 6, clients: 2, isBasis: true },
  { work: 'ingest', size: 1_000, jobs: 16, clients: 4, isBasis: true },
  { work: 'ingest', size: 10_000, jobs: 4, clients: 2, isBasis: false },
  { work: 'ingest', size: 50_000, jobs: 1, clients: 1, isBasis: true },
];

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
  ROWPRESS_INGEST_PER_MINUTE: '0',
};
// The database's user must be able to reach its files.
mkdirSync(file('data'), { mode: 0o711 });
const rowpress = (...args: string[]) => execFileSync(ROWPRESS, args, { env, encoding: 'utf8' });
const keyOf = (surface: string) =>
  (
    JSON.parse(rowpress('keys', 'create', '--surface', surface, '--account', 'bench', '--json')) as {
      key: string;
    }
  ).key;

const load = { before: loadavg()[0] ?? 0, after: 0 };
writeFileSync(file('a.pdf'), makeSource(SOURCES.A));
writeFileSync(file('layout.json'), JSON.stringify(LAYOUT));
rowpress('layout', 'seal', '--layout', file('layout.json'), '--pdf', file('a.pdf'), '-o', file('a.doqlo'));
const pdf = new Blob([readFileSync(file('a.pdf'))]);
const sealed = new Blob([readFileSync(file('a.doqlo'))]);
const server = spawn(ROWPRESS, ['serve'], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
try {
  const url = await new Promise<string>((resolve) => {
    server.stderr.on('data', (said: Buffer) => {
      const ready = /ready at (\S+)/.exec(String(said))?.[1];
      if (ready !== undefined) resolve(ready);
    });
  });
  const keys = { bulkfill: keyOf('bulkfill'), ingest: keyOf('ingest') };
  let next = 0;

  const fillJob = async (rows: number) => {
    const first = next;
    next += rows;
    const csv = Array.from({ length: rows }, (_, row) =>
      rowCells(first + row)
        .map((cell) => `"${cell}"`)
        .join(','),
    );
    const form = new FormData();
    form.append('pdf', pdf, 'a.pdf');
    form.append('doqlo_file', sealed, 'a.doqlo');
    form.append('csv_file', new Blob([csv.join('\n')]), 'rows.csv');
    form.append('max_failed_row_percent', '0');
    const headers = { authorization: `Bearer ${keys.bulkfill}`, 'idempotency-key': randomUUID() };
    const response = await fetch(`${url}/v1/bulkfill/export-jobs`, { method: 'POST', body: form, headers });
    const { status } = (await response.json()) as { status: string };
    if (status !== 'completed') throw new Error(`the job is ${status}`);
  };
  const loadJob = async (items: number) => {
    const first = next;
    next += items;
    const lines = Array.from({ length: items }, (_, item) =>
      JSON.stringify({
        source_id: `SKU-${String(first + item).padStart(9, '0')}`,
        source_version: 1,
        name: `Article number ${first + item}`,
        base_uom: 'EA',
      }),
    );
    const headers = { authorization: `Bearer ${keys.ingest}`, 'x-correlation-id': randomUUID() };
    const sent = await fetch(`${url}/wms-ingest/v1/master/skus?mode=bulk`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: `${lines.join('\n')}\n`,
    });
    const { status_url } = (await sent.json()) as { status_url: string };
    for (let tries = 0; tries < 6_000; tries += 1) {
      const read = await fetch(new URL(status_url, url), { headers });
      const { status } = (await read.json()) as { status: string };
      if (status === 'COMPLETED') return;
      if (status === 'FAILED') throw new Error('the load failed');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the load did not end');
  };

  const totals = PLANS.map(() => ({ seconds: 0, node: 0, database: 0, client: 0 }));
  // The first rounds warm up and are not counted: the engine is compiled, and the heap has grown to its size, after two of them.
  for (let round = 1 - WARM_UP; round <= rounds; round += 1)
    for (const [index, { work, size, jobs, clients }] of PLANS.entries()) {
      const before = { ...cpuSeconds(server.pid ?? 0, file('data')), client: process.cpuUsage() };
      const began = performance.now();
      let left = jobs;
      await Promise.all(
        Array.from({ length: clients }, async () => {
          while (left > 0) {
            left -= 1;
            await (work === 'bulkfill' ? fillJob(size) : loadJob(size));
          }
        }),
      );
      const seconds = (performance.now() - began) / 1000;
      const after = cpuSeconds(server.pid ?? 0, file('data'));
      const { user, system } = process.cpuUsage(before.client);
      const total = totals[index];
      if (round < 1 || total === undefined) continue;
      total.seconds += seconds;
      total.node += after.node - before.node;
      total.database += after.database - before.database;
      total.client += (user + system) / 1e6;
    }
  load.after = loadavg()[0] ?? 0;
  const short = (value: number) => Number(value.toPrecision(4));
  const points = PLANS.map((plan, index): Point => {
    const { seconds = 0, node = 0, database = 0, client = 0 } = totals[index] ?? {};
    const jobs = plan.jobs * rounds;
    const cost = { node: short(node / jobs), database: short(database / jobs), client: short(client / jobs) };
    return { ...plan, jobs, seconds: short(seconds), cost };
  });
  const parameters: Parameters = {
    measured: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} cores, ${cpus()[0]?.model.trim()}, Node ${process.version}`,
    load: { before: short(load.before), after: short(load.after) },
    points,
  };
  writeFileSync(PARAMETERS, `${JSON.stringify(parameters, null, 2)}\n`);
  console.log(JSON.stringify(parameters, null, 2));
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(dir, { recursive: true, force: true });
}
