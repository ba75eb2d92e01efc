import { type Outage, Services } from '#engine/services.ts';
import { faultOf } from '#lib/errors/fault-of.ts';
import { probeStore } from '#storage/blobs/probe-store.ts';
import { readDatabaseTime } from '#storage/nodes.ts';
import type { OpenStorage } from './open-storage.ts';
import type { StartContext } from './start-context.ts';

const NAMES = { database: 'database', blobs: 'blob store' } as const;

/** Tracks outages of the database and the blob store, and logs the begin and the end of each. */
export function watchServices(
  { log, clock, background }: Pick<StartContext, 'log' | 'clock' | 'background'>,
  { database, store }: Pick<OpenStorage, 'database' | 'store'>,
): Services {
  const services = new Services({
    probes: { database: () => readDatabaseTime(database.db), blobs: () => probeStore(store) },
    clock,
    onBegin: ({ service }, error) =>
      log.error({ err: error }, `the ${NAMES[service]} is unavailable; workers wait until it responds`),
    onEnd: (outage) =>
      log.info({ durationMs: lastedMs(outage, clock.now()) }, `the ${NAMES[outage.service]} responds again`),
  });
  // Everything that uses the service fails meanwhile. The first line has said so.
  background.quiet = (error) => services.outages.length > 0 && faultOf(error) !== undefined;
  return services;
}

const lastedMs = ({ since }: Outage, now: Date): number => now.getTime() - since.getTime();
