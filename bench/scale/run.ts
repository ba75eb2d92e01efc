/**
 * Measures an installation with much data: idle chores, pages of the console, creates, and forgetting a day.
 *
 *   node bench/scale/run.ts [--jobs 2000000] [--items 10000000] [--people 2000000] [--blobs 1000000]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type SweptBlobs, sweep } from '#engine/retention/sweep.ts';
import { ManualClock } from '#lib/clock.ts';
import { silentLog } from '#lib/plain-log.ts';
import { deletePassedConsoleRecords } from '#storage/console/sessions.ts';
import { openDatabase } from '#storage/database.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { archiveHistory } from '#storage/ingest/items.ts';
import { listStrandedWork } from '#storage/jobs/list-stranded-work.ts';
import { deletePassedWindows } from '#storage/limits/rate-limit-store.ts';
import { migrate } from '#storage/migrate.ts';
import { deleteExpiredUploads } from '#storage/subscribers/uploads.ts';
import { listStrandedDeliveries } from '#storage/webhooks.ts';
import { type BenchEngine, openBenchEngine } from '../engine/bench-engine.ts';
import { load } from './load.ts';
import { pages } from './pages.ts';

const ROUNDS = 5;
const CREATES = 2_000;
const CONCURRENCY = 8;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const BATCH = 1_000;
/** The defaults of the product. */
const KEPT = { artifactSeconds: 86_400, jobRetentionSeconds: 30 * 86_400 };
/** The figures are those of the database: no file is stored. */
const noFiles: SweptBlobs = { delete: async () => {}, list: async function* () {} };

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '2000000' },
    items: { type: 'string', default: '10000000' },
    people: { type: 'string', default: '2000000' },
    blobs: { type: 'string', default: '1000000' },
  },
});
const sizes = {
  jobs: Number(values.jobs),
  items: Number(values.items),
  people: Number(values.people),
  blobs: Number(values.blobs),
};
const results: [what: string, figure: string][] = [];

const dataDir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
// The unprivileged database user must be able to traverse the directory.
chmodSync(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const database = openDatabase(postgres.address, CONCURRENCY + 8, console.error);
const { db } = database;
try {
  await migrate(db);
  const now = new Date();
  const clock = new ManualClock(now);
  await load(database, sizes, now);
  const bench = await openBenchEngine(postgres.address, database);

  const sweepOnce = () => sweep({ db, clock, blobs: noFiles, settings: KEPT });
  console.error('first round of the sweep (not measured):', JSON.stringify(await sweepOnce()));
  const year = new Date(now.getTime() - YEAR_MS);
  await measure([
    ['chore: sweep', sweepOnce],
    ['chore: find stranded slices', () => listStrandedWork(db, now, BATCH)],
    ['chore: find stranded webhooks', () => listStrandedDeliveries(db, now, BATCH)],
    ['chore: archive the history', () => archiveHistory(db, year, BATCH)],
    ['chore: rate-limit windows', () => deletePassedWindows(db, now, BATCH)],
    ['chore: console records', () => deletePassedConsoleRecords(db, now, year)],
    ['chore: expired uploads', () => deleteExpiredUploads(db, now, BATCH)],
  ]);
  await measure(pages(db, now));
  results.push(['create, idle: p50 / p99', await createTimes(bench, 'idle')]);

  clock.advance(DAY_MS);
  const forgotten = { jobs: 0, requestKeys: 0, blobs: 0, events: 0 };
  const began = performance.now();
  const forgetting = (async () => {
    for (;;) {
      const swept = await sweepOnce();
      for (const name of ['jobs', 'requestKeys', 'blobs', 'events'] as const) forgotten[name] += swept[name];
      if (Object.values(swept).every((count) => count === 0)) return performance.now() - began;
    }
  })();
  results.push(['create, while a day is forgotten: p50 / p99', await createTimes(bench, 'forget')]);
  const seconds = (await forgetting) / 1000;
  const what = Object.entries(forgotten).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  results.push([`forgetting a day: ${what.join(', ')}`, `${seconds.toFixed(1)} s`]);
  await bench.stop();
  print();
} finally {
  await database.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(list: readonly (readonly [string, () => Promise<unknown>])[]): Promise<void> {
  for (const [name, run] of list) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
    results.push([name, `${at(times, 0.5)} ms`]);
  }
}

async function createTimes({ engine, accountId }: BenchEngine, name: string): Promise<string> {
  const times: number[] = [];
  let next = 0;
  const worker = async () => {
    while (next < CREATES) {
      const start = performance.now();
      await engine.accept({
        accountId,
        kind: 'example.sum',
        input: { count: 1, sliceSize: 1 },
        identity: { scope: 'bench', key: `${name}-${next++}`, windowSeconds: 86_400, bodyDigest: null },
        quota: { rows: 1, limit: null },
      });
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return `${at(times, 0.5)} / ${at(times, 0.99)} ms`;
}

function at(times: readonly number[], share: number): string {
  const sorted = [...times].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}

function print(): void {
  const given = Object.entries(sizes).map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  console.log(`${given.join(', ')}; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
  console.log(
    ['| what | figure |', '|---|---|', ...results.map((row) => `| ${row.join(' | ')} |`)].join('\n'),
  );
}
