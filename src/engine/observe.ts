import type { Clock } from '#lib/clock.ts';
import type { DatabaseClock } from '#lib/database-clock.ts';
import type { GaugeSample } from '#lib/metrics.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import type { Database, Db } from '#storage/database.ts';
import type { FreeSpace } from '#storage/free-space.ts';
import { countExpiringKeys } from '#storage/keys/expiring-keys.ts';
import { readMigrationState } from '#storage/migrate.ts';
import type { SchemaState } from '#storage/migrations/schema-state.ts';
import { countOpenJobs, countPendingWebhooks, measureQueues } from '#storage/observe.ts';
import { clockProblem } from './nodes/node-clock.ts';
import { queueNames } from './queue/queue.ts';
import type { Services } from './services.ts';

/** A load balancer checks every few seconds and does not wait long. */
const CHECK_MS = 2_000;

type Check = string | undefined;

export interface HealthParts {
  readonly db: Db;
  readonly writes: Database['writes'];
  readonly blobs: Pick<BlobStore, 'identity'>;
  readonly services: Pick<Services, 'outages'>;
  readonly clock: DatabaseClock;
  readonly space: Pick<FreeSpace, 'problem'>;
}

export type Checks = Readonly<Record<'database' | 'migrations' | 'blobs' | 'clock' | 'disk', Check>>;

/** Checks the parts that requests need. `undefined` means healthy; a text says what is wrong. */
export function createHealth({ db, writes, blobs, services, clock, space }: HealthParts) {
  return async (): Promise<Checks> => {
    const [schema, written, store, skew, disk] = await Promise.allSettled([
      withinTime(readMigrationState(db)),
      withinTime(writes.confirm()),
      withinTime(blobs.identity()),
      withinTime(clockProblem(db, clock)),
      withinTime(space.problem()),
    ]);
    const isStoreOut = services.outages.some(({ service }) => service === 'blobs');
    return {
      database: describeDatabase(schema.status === 'fulfilled', written.status === 'fulfilled'),
      migrations: schema.status === 'fulfilled' ? describeSchema(schema.value) : 'unknown',
      blobs: store.status === 'rejected' ? 'cannot be read' : isStoreOut ? 'cannot be used' : undefined,
      clock: skew.status === 'fulfilled' ? skew.value : undefined,
      disk: disk.status === 'fulfilled' ? disk.value : undefined,
    };
  };
}

function describeDatabase(answers: boolean, confirms: boolean): Check {
  if (!answers) return 'does not respond';
  if (confirms) return undefined;
  return 'does not confirm writes; check its disk, its number of connections and, if it has one, its synchronous standby';
}

function describeSchema({ refusal, pending }: SchemaState): Check {
  if (refusal !== undefined) return refusal;
  return pending.length === 0 ? undefined : `${pending.length} to run: ${pending.join(', ')}`;
}

function withinTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no response in time')), CHECK_MS);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

export interface GaugeParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Names of all surfaces. */
  readonly surfaces: readonly string[];
  /** Days before the end of a key at which to warn. */
  readonly keyWarningDays: readonly number[];
}

/** Gauges of open work for `/metrics`, read from the tables on each scrape. */
export function createGauges({ db, clock, surfaces, keyWarningDays }: GaugeParts) {
  return async (): Promise<readonly GaugeSample[]> => {
    const [jobs, measures, webhooks, expiring] = await Promise.all([
      countOpenJobs(db),
      measureQueues(db, clock.now()),
      countPendingWebhooks(db),
      countExpiringKeys(db, clock.now(), keyWarningDays),
    ]);
    const byQueue = new Map(measures.map((measure) => [measure.queue, measure]));
    const queues = queueNames.flatMap((queue): GaugeSample[] => [
      { name: 'rowpress_queue_depth', labels: { queue }, value: byQueue.get(queue)?.depth ?? 0 },
      { name: 'rowpress_queue_age_seconds', labels: { queue }, value: byQueue.get(queue)?.ageSeconds ?? 0 },
    ]);
    const open = jobs.map(
      ({ kind, state, count }): GaugeSample => ({
        name: 'rowpress_jobs',
        labels: { kind, state },
        value: count,
      }),
    );
    const counts = new Map(expiring.map(({ surface, days, count }) => [`${surface} ${days}`, count]));
    const keys = surfaces.flatMap((surface) =>
      keyWarningDays.map(
        (days): GaugeSample => ({
          name: 'rowpress_keys_expiring',
          labels: { surface, within_days: String(days) },
          value: counts.get(`${surface} ${days}`) ?? 0,
        }),
      ),
    );
    return [...open, ...queues, ...keys, { name: 'rowpress_webhooks_pending', labels: {}, value: webhooks }];
  };
}
