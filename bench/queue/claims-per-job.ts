/**
 * Counts the claims that a job of one slice causes, with several nodes that all have free places.
 *
 *   node bench/queue/claims-per-job.ts [--nodes 8] [--jobs 400] [--rate 40]
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { silentLog } from '#lib/plain-log.ts';
import { openDatabase } from '#storage/database.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded-postgres.ts';
import { migrate } from '#storage/migrate.ts';
import { exampleEffectsTable } from '../../test/support/example-kind.ts';
import { openBenchEngine } from '../engine/bench-engine.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '8' },
    jobs: { type: 'string', default: '400' },
    rate: { type: 'string', default: '40' },
  },
});
const [NODES, JOBS, RATE] = [Number(values.nodes), Number(values.jobs), Number(values.rate)];

const dataDir = mkdtempSync(join(tmpdir(), 'rp-bench-'));
// The unprivileged database user must be able to traverse the directory.
chmodSync(dataDir, 0o711);
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const pools = Array.from({ length: NODES + 1 }, () => openDatabase(postgres.address, 6, console.error));
const [first, ...others] = pools as [(typeof pools)[0], ...typeof pools];

try {
  await migrate(first.db);
  await first.pool.query(exampleEffectsTable);
  const api = await openBenchEngine(postgres.address, first);
  let claims = 0;
  const nodes = [];
  for (const database of others) {
    const node = await openBenchEngine(postgres.address, database);
    for (const method of ['claim', 'claimSlices'] as const) {
      const claim = node.queue[method].bind(node.queue) as (...args: unknown[]) => Promise<unknown>;
      Object.assign(node.queue, {
        [method]: (...args: unknown[]) => {
          claims += 1;
          return claim(...args);
        },
      });
    }
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
  claims = 0;
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let i = 0; i < JOBS; i += 1) {
    running.push(accept());
    await new Promise((resolve) => setTimeout(resolve, (i * 1000) / RATE - (performance.now() - began)));
  }
  await Promise.all(running);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${(claims / JOBS).toFixed(1)} claims per job: ${NODES} nodes, ${(JOBS / seconds).toFixed(0)} jobs/s, load ${loadavg()[0]?.toFixed(1)}`,
  );
  await Promise.all([api, ...nodes].map((node) => node.stop()));
} finally {
  await Promise.all(pools.map((database) => database.close()));
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
