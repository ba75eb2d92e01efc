import type { GaugeSource } from './http/metrics.ts';
import type { Health } from './http/operations.ts';
import type { Clock } from './lib/clock.ts';
import type { BlobStore } from './storage/blobs/blob-store.ts';
import type { Db } from './storage/database.ts';
import { listPendingMigrations } from './storage/migrate.ts';
import { readWorkGauges } from './storage/observe/read-work-gauges.ts';

const CHECK_MS = 2_000;

/** What `/readyz` asks: the database with its schema, and the blob store. */
export function createHealth(db: Db, blobs: BlobStore): Health {
  return async () => ({
    database: await problem(async () => {
      const pending = await listPendingMigrations(db);
      if (pending.length > 0) throw new Error(`migrations are missing: ${pending.join(', ')}`);
    }),
    blobs: await problem(async () => {
      await (await blobs.receive(nothing())).discard();
    }),
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function problem(check: () => Promise<void>): Promise<string | undefined> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS);
  try {
    await Promise.race([check(), late.promise]);
    return undefined;
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'not reachable';
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
