import type { Config } from '#config.ts';
import { currentSandbox, setSandboxMode } from '#fill/node/sandbox/current.ts';
import { describeLayers } from '#fill/node/sandbox/layers.ts';
import type { MetricsRegistry } from '#http/metrics.ts';
import { DatabaseClock } from '#lib/database-clock.ts';
import { systemIds } from '#lib/ids.ts';
import type { Log } from '#lib/logger.ts';
import { BackgroundErrors } from './main/background-errors.ts';
import { buildConsole } from './main/build-console.ts';
import { buildSurfaces } from './main/build-surfaces.ts';
import { openReaders } from './main/open-readers.ts';
import { openStorage } from './main/open-storage.ts';
import { Opened } from './main/opened.ts';
import type { StartContext, Surroundings } from './main/start-context.ts';
import { startEngine } from './main/start-engine.ts';
import { startHeartbeat } from './main/start-heartbeat.ts';
import { startHttp } from './main/start-http.ts';
import { startWorkers } from './main/start-workers.ts';
import { surfaces as productSurfaces } from './main/surfaces.ts';

export interface RunningServer {
  readonly url: string;
  /** A link to sign in to the console; each start makes one until somebody has signed in. */
  readonly signInLink: string | undefined;
  /** False if this node should serve the editor and the console, but they are not built. */
  readonly hasWebApp: boolean;
  stop(): Promise<void>;
}

/**
 * The composition root: every part is built here, once, in order, and closed in the opposite order. Nothing else in the product
 * makes its own dependencies.
 */
export async function startServer(
  config: Config,
  log: Log,
  registry: MetricsRegistry,
  surroundings: Partial<Surroundings> = {},
): Promise<RunningServer> {
  const databaseClock = new DatabaseClock(surroundings.machineTime);
  const clock = surroundings.clock ?? databaseClock;
  const context: StartContext = {
    config,
    log,
    registry,
    surfaces: surroundings.surfaces ?? productSurfaces,
    clock,
    databaseClock,
    ids: systemIds,
    background: new BackgroundErrors(log, clock),
    surroundings,
  };
  setSandboxMode(config.sandbox);
  log.info(`sandbox for uploads: ${describeLayers(currentSandbox().layers)}`);
  const opened = new Opened();
  try {
    const storage = opened.add(await openStorage(context));
    const readers = opened.add(openReaders(config));
    const engine = opened.add(await startEngine(context, storage));
    const surfaces = opened.add(await buildSurfaces(context, storage, readers, engine));
    const operatorRoutes = buildConsole(context, storage, readers, engine, surfaces);
    opened.add(startWorkers(context, storage, engine, surfaces));
    const http = opened.add(await startHttp(context, storage, readers, engine, surfaces, operatorRoutes));
    opened.add(await startHeartbeat(context, storage, engine, http));
    return {
      url: http.url,
      signInLink: http.signInLink,
      hasWebApp: http.hasWebApp,
      stop: () => opened.close(),
    };
  } catch (error) {
    // A start that fails late, for instance because the port is taken, leaves no database and no thread behind.
    await opened.close();
    throw error;
  }
}
