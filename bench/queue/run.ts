/**
 * Measures claims while a snapshot is held open, as `pg_dump` does: the claims of the engine against the fetch of
 * pg-boss, on the same entries in the same run.
 *
 *   node bench/queue/run.ts [--seconds 300] [--rate 200] [--slices-per-job 4] [--every 30]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PgBoss } from 'pg-boss';
import { Queue } from '#engine/queue/queue.ts';
import { systemIds } from '#lib/ids.ts';
import { silentLog } from '#lib/plain-log.ts';
import { connectClient, openDatabase } from '#storage/database.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { markPrepared } from '#storage/prepared-statements.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '200' },
    'slices-per-job': { type: 'string', default: '4' },
    every: { type: 'string', default: '30' },
  },
});
const SECONDS = Number(values.seconds);
const RATE = Number(values.rate);
const PER_JOB = Number(values['slices-per-job']);
const EVERY = Number(values.every);
const BATCH = 8;
/** Every tenth claim is one of pg-boss, so that both see the same table and the same load. */
const REFERENCE_EVERY = 10;

const dataDir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
// The unprivileged database user must be able to traverse the directory.
chmodSync(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const database = openDatabase(postgres.address, 8, console.error);
const { pool } = database;

try {
  await migrate(database.db);
  const queue = new Queue(pool, { leaseMs: 10_000, supervise: false, onError: console.error });
  await queue.start();
  const boss = new PgBoss({
    db: { executeSql: (text, parameters) => pool.query(markPrepared(text), parameters) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  const holder = await connectClient(postgres.address);
  await holder.query('begin isolation level repeatable read; select count(*) from accounts');
  console.log(
    '| snapshot held for | claims p50 / p99 / max | fetch of pg-boss p50 | load |\n|---|---|---|---|',
  );
  await measure(queue, boss);
  await holder.end();
  await queue.stop();
  await boss.stop({ graceful: false, close: false });
} finally {
  await database.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure(queue: Queue, boss: PgBoss): Promise<void> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let added = 0;
  for (let round = 1; round * EVERY <= SECONDS; round += 1) {
    const own: number[] = [];
    const reference: number[] = [];
    for (let turn = 0; elapsed() < round * EVERY; turn += 1) {
      for (; added < elapsed() * RATE; added += PER_JOB) await addJob(queue);
      const start = performance.now();
      if (turn % REFERENCE_EVERY === 0) {
        const tasks = await boss.fetch('slice', { batchSize: BATCH, includeMetadata: true });
        reference.push(performance.now() - start);
        await boss.complete('slice', tasks);
      } else {
        const tasks = await queue.claim('slice', BATCH);
        own.push(performance.now() - start);
        await Promise.all(tasks.map((task) => queue.complete('slice', task)));
      }
      // A claim for eight slices at the given rate.
      await new Promise((resolve) => setTimeout(resolve, (BATCH / RATE) * 500));
    }
    const figures = `${at(own, 0.5)} / ${at(own, 0.99)} / ${at(own, 1)} ms`;
    console.log(
      `| ${round * EVERY} s | ${figures} | ${at(reference, 0.5)} ms | ${loadavg()[0]?.toFixed(1)} |`,
    );
  }
}

async function addJob(queue: Queue): Promise<void> {
  const numbers = Array.from({ length: PER_JOB }, (_, n) => n);
  await database.db.transaction().execute((tx) => queue.addSlices(tx, systemIds.uuid(), numbers, 0));
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
