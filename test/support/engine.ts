import { onTestFinished } from 'vitest';
import { Engine, type WorkerOptions } from '#engine/engine.ts';
import type { EngineCounters, EngineParts, OutboxEvent } from '#engine/engine-parts.ts';
import { type AnyJobKind, JobKinds } from '#engine/job-kind.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import type { ServicesParts } from '#engine/services.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { createDatabase } from './database.ts';
import { exampleEffectsTable, sumKind } from './example-kind.ts';
import { testServices } from './services.ts';

export interface TestEngine {
  readonly engine: Engine;
  readonly parts: EngineParts;
  readonly address: DatabaseAddress;
  readonly accountId: string;
  /** Events recorded in settling transactions, in order. */
  readonly events: OutboxEvent[];
  readonly errors: unknown[];
  work(options?: Partial<WorkerOptions>): void;
  stop(): Promise<void>;
}

const silent: EngineCounters = {
  accepted() {},
  replayed() {},
  conflicted() {},
  sliceEnded() {},
  rows() {},
  settled() {},
};

export interface TestEngineOptions {
  readonly address?: DatabaseAddress;
  readonly clock?: Clock;
  readonly kind?: AnyJobKind;
  readonly services?: Partial<ServicesParts>;
  readonly settings?: Partial<EngineParts['settings']>;
}

/** Starts an engine with its own database, or a second node on `address`. Stopped when the test ends. */
export async function startTestEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const address = options.address ?? (await createDatabase());
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const database = openDatabase(address, 20, onError);
  await database.pool.query(exampleEffectsTable);
  const events: OutboxEvent[] = [];
  const parts: EngineParts = {
    database,
    queue: new Queue(database.pool, { leaseMs: 10_000, supervise: true, onError }),
    signals: new Signals(database.pool, onError),
    services: testServices(database.db, options.services),
    kinds: new JobKinds([options.kind ?? sumKind()]),
    clock: options.clock ?? systemClock,
    ids: systemIds,
    outbox: { record: async (_tx, event) => void events.push(event) },
    onSettled: async () => {},
    counters: silent,
    settings: {
      deliverySeconds: 21_600,
      artifactSeconds: 86_400,
      sliceTimeoutMs: 60_000,
      ...options.settings,
    },
  };
  const engine = new Engine(parts);
  await engine.start(address);
  let stopped = false;
  const stop = async () => {
    if (stopped) return;
    stopped = true;
    await engine.stop(2_000);
    await database.close();
  };
  onTestFinished(stop);
  const accountId = await findOrCreateAccount(database, 'demo');
  const work = (overrides: Partial<WorkerOptions> = {}) =>
    engine.startWorkers({
      slices: 2,
      settles: 1,
      webhooks: 1,
      deliver: async () => {},
      chores: [],
      onError,
      ...overrides,
    });
  return { engine, parts, address, accountId, events, errors, work, stop };
}

async function findOrCreateAccount(database: EngineParts['database'], name: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into accounts (id, name, plan, created_at) values ($1, $2, 'unlimited', now())
     on conflict (name) do update set plan = excluded.plan returning id`,
    [systemIds.uuid(), name],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('no account');
  return id;
}

/** Returns the number from a query of one row and one column. */
export async function count(engine: TestEngine, text: string, values: unknown[] = []): Promise<number> {
  const { rows } = await engine.parts.database.pool.query<Record<string, unknown>>(text, values);
  return Number(Object.values(rows[0] ?? {})[0]);
}
