import type { GaugeSource } from './http/metrics.ts';
import type { Health } from './http/operations.ts';
import type { Clock } from './lib/clock.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import type { Db } from './storage/database.ts';
import { listPendingMigrations } from './storage/migrate.ts';
import { readWorkGauges } from './storage/observe/read-work-gauges.ts';

const CHECK_MS = 2_000;

/** What `/readyz` asks: the database with its schema, and the blob store. */
export function createHealth(db: Db, blobs: Pick<BlobStore, 'receive'>): Health {
  return async () => {
    const [database, store] = await Promise.all([
      problem(async () => describePending(await listPendingMigrations(db))),
      problem(async () => {
        await (await blobs.receive(nothing())).discard();
        return undefined;
      }),
    ]);
    return { database, blobs: store };
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

function describePending(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `migrations are missing: ${names.join(', ')}`;
}

/** Anybody may ask, so a fault is not told in its own words, which name hosts, users and paths. */
async function problem(check: () => Promise<string | undefined>): Promise<string | undefined> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('no answer')), CHECK_MS);
  try {
    return await Promise.race([check(), late.promise]);
  } catch {
    return 'does not answer as it should';
  } finally {
    clearTimeout(timer);
  }
}

export function workGauges(db: Db, clock: Clock): GaugeSource {
  return async () => {
    const { jobs, queues, webhooksPending } = await readWorkGauges(db, clock.now());
    return [
      ...jobs.map(({ kind, state, count }) => ({
        name: 'rowpress_jobs' as const,
        labels: { kind, state },
        value: count,
      })),
      ...queues.flatMap(({ queue, depth, age_seconds }) => [
        { name: 'rowpress_queue_depth' as const, labels: { queue }, value: depth },
        { name: 'rowpress_queue_age_seconds' as const, labels: { queue }, value: age_seconds },
      ]),
      { name: 'rowpress_webhooks_pending' as const, labels: {}, value: webhooksPending },
    ];
  };
}
