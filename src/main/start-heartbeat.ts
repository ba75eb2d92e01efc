import { hostname } from 'node:os';
import { Heartbeat } from '#engine/nodes/heartbeat.ts';
import { VERSION } from '#lib/version.ts';
import type { OpenStorage } from './open-storage.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';
import type { RunningHttp } from './start-http.ts';

/** Starts to report this process to the other nodes and to operators. */
export async function startHeartbeat(
  { config, clock, databaseClock, ids, background }: StartContext,
  { database, space }: OpenStorage,
  { engine }: RunningEngine,
  { url, health }: RunningHttp,
): Promise<Heartbeat> {
  const heartbeat = new Heartbeat({
    db: database.db,
    clock,
    databaseClock,
    node: {
      id: ids.uuid(),
      name: `${hostname()}:${new URL(url).port}`,
      version: VERSION,
      role: config.role,
      workers: config.role === 'api' ? 0 : config.workers,
      started_at: clock.now(),
    },
    running: () => engine.running,
    freeBytes: () => space.freeBytes(),
    health,
    onError: background.note,
  });
  await heartbeat.start();
  return heartbeat;
}
