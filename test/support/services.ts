import { Services, type ServicesParts } from '#engine/services.ts';
import { systemClock } from '#lib/clock.ts';
import type { Db } from '#storage/database.ts';
import { readDatabaseTime } from '#storage/nodes.ts';

/** Services with fast probes. By default the blob store always responds, and the database is probed. */
export function testServices(db: Db, parts: Partial<ServicesParts> = {}): Services {
  return new Services({
    clock: systemClock,
    onBegin: () => {},
    onEnd: () => {},
    timing: { probeMs: 5_000, firstPauseMs: 20, maxPauseMs: 200 },
    ...parts,
    probes: { database: () => readDatabaseTime(db), blobs: async () => {}, ...parts.probes },
  });
}
