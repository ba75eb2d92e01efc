/**
 * Measures the engine: durable creates against a bare transaction of three inserts on the same PostgreSQL in the same
 * run, replays, slices with one and two worker processes (`slices.ts`), and creates during a bulk load.
=======
 * run, in calls per second and in processor time, replays, slices with one and two worker processes, and creates during a bulk load.
 *
 *   node bench/engine/run.ts
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AcceptRequest } from '#engine/requests/accept-job.ts';
import { systemIds } from '#lib/ids.ts';
import { silentLog } from '#lib/plain-log.ts';
import { type Database, openDatabase } from '#storage/database.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { exampleEffectsTable } from '../../test/support/example-kind.ts';
import { cpuSeconds } from '../capacity/cpu-time.ts';
import { type BenchEngine, openBenchEngine } from './bench-engine.ts';
import { measureSlices } from './slices.ts';

const CONCURRENCY = 16;
const CREATES = 3_000;
const SLICES = 4_000;
const SLICE_JOBS = 40;
const ROUNDS = 3;

const dataDir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
// The unprivileged database user must be able to traverse the directory.
chmodSync(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const database = openDatabase(postgres.address, CONCURRENCY + 4, console.error);
const load = () => loadavg()[0] ?? 0;
const loadBefore = load();
const results: [what: string, figure: string][] = [];

try {
  await migrate(database.db);
  await database.pool.query(exampleEffectsTable);
  await database.pool.query(
    'create table bare_a (id uuid primary key, v jsonb); create table bare_b (like bare_a including all); create table bare_c (like bare_a including all)',
  );
  const bench = await openBenchEngine(postgres.address, database);
  await measureCreates(bench);
  await measureReplays(bench);
  await measureCreatesUnderLoad(bench);
  await bench.stop();
  results.push(...(await measureSlices({ rounds: ROUNDS, slices: SLICES, jobs: SLICE_JOBS })));
  console.log(`Load average ${loadBefore.toFixed(1)} before the run, ${load().toFixed(1)} after it.\n`);
  console.log(
    ['| what | figure |', '|---|---|', ...results.map(([what, figure]) => `| ${what} | ${figure} |`)].join(
      '\n',
    ),
  );
} finally {
  await database.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

interface Run {
  readonly perSecond: number;
  /** Times of the calls in ms, ascending. */
  readonly times: readonly number[];
  /** Processor time per call in ms. */
  readonly cpu: { readonly node: number; readonly database: number };
}

/** Runs `once` `total` times, `concurrency` at a time. */
async function run(
  total: number,
  once: (i: number) => Promise<unknown>,
  concurrency = CONCURRENCY,
): Promise<Run> {
  const times: number[] = [];
  let next = 0;
  const before = { node: process.cpuUsage(), database: cpuSeconds(process.pid, dataDir).database };
  const began = performance.now();
  const worker = async () => {
    while (next < total) {
      const start = performance.now();
      await once(next++);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const perSecond = total / ((performance.now() - began) / 1000);
  const { user, system } = process.cpuUsage(before.node);
  const database = cpuSeconds(process.pid, dataDir).database - before.database;
  const cpu = { node: (user + system) / 1000 / total, database: (database * 1000) / total };
  return { perSecond, times: times.sort((a, b) => a - b), cpu };
}

function request(bench: BenchEngine, key: string): AcceptRequest {
  return {
    accountId: bench.accountId,
    kind: 'example.sum',
    input: { count: 1, sliceSize: 1 },
    identity: { scope: 'bench', key, windowSeconds: 86_400, bodyDigest: Buffer.alloc(32, 1) },
    quota: { rows: 1, limit: null },
  };
}

async function bareTransaction({ pool }: Database): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const table of ['bare_a', 'bare_b', 'bare_c'])
      await client.query(`insert into ${table} values ($1, $2)`, [systemIds.uuid(), '{"count":1}']);
    await client.query('commit');
  } finally {
    client.release();
  }
}

/** Interleaves the rounds, so that other load affects both equally. */
async function measureCreates(bench: BenchEngine): Promise<void> {
  const bare: Run[] = [];
  const creates: Run[] = [];
  const alone: Run[] = [];
  let keys = 0;
  const create = () => bench.engine.accept(request(bench, `c${keys++}`));
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await run(CREATES / ROUNDS, () => bareTransaction(database)));
    creates.push(await run(CREATES / ROUNDS, create));
    alone.push(await run(CREATES / ROUNDS / 2, create, 1));
  }
  const [bareRate, rate] = [bare, creates].map((runs) => median(runs.map(({ perSecond }) => perSecond)));
  results.push(['bare transaction of three inserts', `${round(bareRate ?? 0)}/s`]);
  results.push([
    'durable creates (key, job, slice, quota, queue entry)',
    `${round(rate ?? 0)}/s = ${((rate ?? 0) / (bareRate ?? 1)).toFixed(2)} × bare`,
  ]);
  const cpuOf = (runs: readonly Run[], where: 'node' | 'database') =>
    median(runs.map(({ cpu }) => cpu[where])).toFixed(2);
  for (const [what, runs] of [
    ['a bare transaction', bare],
    ['a create', creates],
    ['a create without others beside it', alone],
  ] as const)
    results.push([
      `processor time of ${what}: PostgreSQL / Node.js`,
      `${cpuOf(runs, 'database')} / ${cpuOf(runs, 'node')} ms`,
    ]);
}

async function measureReplays(bench: BenchEngine): Promise<void> {
  await bench.engine.accept(request(bench, 'replayed'));
  const { perSecond } = await run(CREATES, () => bench.engine.accept(request(bench, 'replayed')));
  results.push(['replays of one key', `${round(perSecond)}/s`]);
}

async function measureCreatesUnderLoad(bench: BenchEngine): Promise<void> {
  const loader = openDatabase(postgres.address, 1, console.error);
  let loading = true;
  let loaded = 0;
  const load = (async () => {
    while (loading) {
      await loader.pool.query(
        'insert into bare_a select gen_random_uuid(), $1 from generate_series(1, 20000)',
        ['{"bulk":true}'],
      );
      loaded += 20_000;
    }
  })();
  const { times } = await run(CREATES, (i) => bench.engine.accept(request(bench, `l${i}`)));
  loading = false;
  await load;
  await loader.close();
  results.push([
    `creates while ${round(loaded)} rows are loaded beside them: p50 / p99`,
    `${at(times, 0.5)} / ${at(times, 0.99)} ms`,
  ]);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function at(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
