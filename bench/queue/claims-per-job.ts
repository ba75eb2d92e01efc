/**
 * Counts the claims that a job of one slice causes, with several nodes that all have free places. PostgreSQL counts them
 * (`pg_stat_statements`).
 *
 *   node bench/queue/claims-per-job.ts [--nodes 8] [--jobs 400] [--rate 40]
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { openDatabase } from '#storage/database.ts';
import { migrate } from '#storage/migrate.ts';
import { exampleEffectsTable } from '../../test/support/example-kind.ts';
import { openBenchEngine } from '../engine/bench-engine.ts';
import { startCountingPostgres } from '../engine/bench-postgres.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '8' },
    jobs: { type: 'string', default: '400' },
    rate: { type: 'string', default: '40' },
  },
});
const [NODES, JOBS, RATE] = [Number(values.nodes), Number(values.jobs), Number(values.rate)];

const postgres = await startCountingPostgres();
const pools = Array.from({ length: NODES + 1 }, () => openDatabase(postgres.address, 6, console.error));
const [first, ...others] = pools as [(typeof pools)[0], ...typeof pools];

try {
  await migrate(first.db);
  await first.pool.query(exampleEffectsTable);
  const api = await openBenchEngine(postgres.address, first);
  const nodes = [];
  for (const database of others) {
    const node = await openBenchEngine(postgres.address, database);
    node.engine.startWorkers({
      slices: 2,
      settles: 2,
      webhooks: 2,
      deliver: async () => {},
      chores: [],
      onError: console.error,
    });
    nodes.push(node);
  }
  const accept = async () => {
    const input = { count: 1, sliceSize: 1 };
    const accepted = await api.engine.accept({ accountId: api.accountId, kind: 'example.sum', input });
    if (accepted.outcome === 'accepted') await api.engine.wait(accepted.job.id, 30_000);
  };
  await accept();
  await first.pool.query('select pg_stat_statements_reset()');
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let i = 0; i < JOBS; i += 1) {
    running.push(accept());
    await new Promise((resolve) =>
      setTimeout(resolve, Math.max(0, (i * 1000) / RATE - (performance.now() - began))),
    );
  }
  await Promise.all(running);
  const seconds = (performance.now() - began) / 1000;
  const { rows } = await first.pool.query<{ claims: number }>(
    `select sum(calls)::int8 as claims from pg_stat_statements where query like '%near as materialized%' and query not like '%pg_stat%'`,
  );
  const claims = rows[0]?.claims ?? 0;
  console.log(
    `${(claims / JOBS).toFixed(1)} claims per job: ${NODES} nodes, ${(JOBS / seconds).toFixed(0)} jobs/s, load ${loadavg()[0]?.toFixed(1)}`,
  );
  await Promise.all([api, ...nodes].map((node) => node.stop()));
} finally {
  await Promise.all(pools.map((database) => database.close()));
  await postgres.stop();
}
