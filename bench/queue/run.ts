/**
 * Measures claims while a snapshot is held open, as `pg_dump` does: the claims of the engine against the fetch of
 * pg-boss, on the same entries in the same run. `select 1` beside each claim shows what the machine adds to it, and
 * what PostgreSQL counted itself shows the parts of a claim.
 *
 *   node bench/queue/run.ts [--seconds 300] [--rate 200] [--slices-per-job 4] [--every 30]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { PgBoss } from 'pg-boss';
import { Queue } from '#engine/queue/queue.ts';
import { systemIds } from '#lib/ids.ts';
import { connectClient, openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { markPrepared } from '#storage/prepared-statements.ts';
import { startCountingPostgres } from '../engine/bench-postgres.ts';

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

const postgres = await startCountingPostgres();
const database = openDatabase(postgres.address, 8, console.error);
const { pool } = database;
const accountId = systemIds.uuid();

try {
  await migrate(database.db);
  await pool.query(
    "insert into accounts (id, name, plan, created_at) values ($1, 'bench', 'unlimited', now())",
    [accountId],
  );
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
    '| snapshot held for | claims p50 / p99 / max | `select 1` p50 / p99 / max | fetch of pg-boss p50 | load |\n|---|---|---|---|---|',
  );
  await pool.query('select pg_stat_statements_reset()');
  await measure(queue, boss);
  await printParts();
  await holder.end();
  await queue.stop();
  await boss.stop({ graceful: false, close: false });
} finally {
  await database.close();
  await postgres.stop();
}

async function measure(queue: Queue, boss: PgBoss): Promise<void> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  let added = 0;
  for (let round = 1; round * EVERY <= SECONDS; round += 1) {
    const own: number[] = [];
    const control: number[] = [];
    const reference: number[] = [];
    for (let turn = 0; elapsed() < round * EVERY; turn += 1) {
      for (; added < elapsed() * RATE; added += PER_JOB) await addJob(queue);
      const start = performance.now();
      if (turn % REFERENCE_EVERY === 0) {
        const tasks = await boss.fetch('slice', { batchSize: BATCH, includeMetadata: true });
        reference.push(performance.now() - start);
        await boss.complete('slice', tasks);
      } else {
        const tasks = await queue.claimSlices(BATCH, new Date());
        own.push(performance.now() - start);
        const controlled = performance.now();
        await pool.query('select 1');
        control.push(performance.now() - controlled);
        await Promise.all(tasks.map((task) => queue.complete('slice', task)));
      }
      // A claim for eight slices at the given rate.
      await new Promise((resolve) => setTimeout(resolve, (BATCH / RATE) * 500));
    }
    const figures = (of: readonly number[]) => `${at(of, 0.5)} / ${at(of, 0.99)} / ${at(of, 1)} ms`;
    console.log(
      `| ${round * EVERY} s | ${figures(own)} | ${figures(control)} | ${at(reference, 0.5)} ms | ${loadavg()[0]?.toFixed(1)} |`,
    );
  }
}

/** Prints what PostgreSQL spent on the claims. Commits and waits for a processor are not part of it. */
async function printParts(): Promise<void> {
  const { rows } = await pool.query<
    Record<'calls' | 'run' | 'maxRun' | 'plans' | 'plan' | 'maxPlan', number>
  >(
    `select calls, mean_exec_time as run, max_exec_time as "maxRun", plans, mean_plan_time as plan, max_plan_time as "maxPlan"
     from pg_stat_statements where query like '%held as materialized%' and query not like '%pg_stat%'
     order by calls desc limit 1`,
  );
  const [claims] = rows;
  if (claims === undefined) throw new Error('PostgreSQL counted no claims');
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  console.log(
    `\n${claims.calls} claims ran for ${ms(claims.run)} on average, ${ms(claims.maxRun)} at most; ${claims.plans} plans took ${ms(claims.plan)} on average, ${ms(claims.maxPlan)} at most.`,
  );
}

/** Queues slices that are open, as an accepted job has them. */
async function addJob(queue: Queue): Promise<void> {
  const jobId = systemIds.uuid();
  const numbers = Array.from({ length: PER_JOB }, (_, n) => n);
  await database.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('jobs')
      .values({
        id: jobId,
        account_id: accountId,
        kind: 'bench',
        state: 'queued',
        input: '{}',
        ordered: false,
        slices_total: PER_JOB,
        rows_total: PER_JOB,
        created_at: new Date(),
      })
      .execute();
    await tx
      .insertInto('slices')
      .values(numbers.map((n) => ({ job_id: jobId, n, state: 'open', input: '{}', rows_total: 1 })))
      .execute();
    await queue.addSlices(tx, jobId, numbers, 0);
  });
}

function at(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
}
