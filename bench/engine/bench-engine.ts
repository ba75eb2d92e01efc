import { Engine } from '#engine/engine.ts';
import { JobKinds } from '#engine/job-kind.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import { systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import type { Database, DatabaseAddress } from '#storage/database.ts';
import { sumKind } from '../../test/support/example-kind.ts';
import { testServices } from '../../test/support/services.ts';

export interface BenchEngine {
  readonly queue: Queue;
  readonly engine: Engine;
  readonly accountId: string;
  stop(): Promise<void>;
}

/** Opens an engine with an account of its own. It only accepts until its workers are started. */
export async function openBenchEngine(address: DatabaseAddress, database: Database): Promise<BenchEngine> {
  const accountId = systemIds.uuid();
  await database.pool.query(
    "insert into accounts (id, name, plan, created_at) values ($1, $2, 'unlimited', now())",
    [accountId, accountId],
  );
  const queue = new Queue(database.pool, { leaseMs: 10_000, supervise: false, onError: console.error });
  const engine = new Engine({
    database,
    queue,
    services: testServices(database.db),
    signals: new Signals(database.pool, console.error),
    kinds: new JobKinds([sumKind()]),
    clock: systemClock,
    ids: systemIds,
    outbox: { record: async () => {} },
    onSettled: async () => {},
    counters: { accepted() {}, replayed() {}, conflicted() {}, sliceEnded() {}, rows() {}, settled() {} },
    settings: { deliverySeconds: 21_600, artifactSeconds: 86_400, sliceTimeoutMs: 60_000 },
  });
  await engine.start(address);
  return { engine, queue, accountId, stop: () => engine.stop(1_000) };
}
