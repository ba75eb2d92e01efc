import { fileURLToPath } from 'node:url';
import { ConflictLog } from '#console/request-keys/conflict-log.ts';
import { makeSignInLink, webAddress } from '#console/session/sign-in-link.ts';
import { RateLimits } from '#engine/limits/rate-limits.ts';
import { type Checks, createGauges, createHealth } from '#engine/observe.ts';
import { installedFaces } from '#fill/node/bundled-fonts.ts';
import { httpSettings } from '#http/http-settings.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { buildServer } from '#http/server.ts';
import { hasAnyOperator } from '#storage/console/operators.ts';
import type { BuiltSurfaces } from './build-surfaces.ts';
import { listen } from './listen.ts';
import type { OpenReaders } from './open-readers.ts';
import type { OpenStorage } from './open-storage.ts';
import { dialectsOf, perSurface } from './registries.ts';
import { resourceGauges } from './resource-gauges.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';

const DRAIN_MS = 8_000;
const WEB_ROOT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const DOCS_ROOT = fileURLToPath(new URL('../../build/docs', import.meta.url));

export interface RunningHttp {
  readonly url: string;
  /** A link to sign in to the console; each start makes one until somebody has signed in. */
  readonly signInLink: string | undefined;
  /** False if this node should serve the editor and the console, but they are not built. */
  readonly hasWebApp: boolean;
  /** What `/readyz` reports. */
  readonly health: () => Promise<Checks>;
  close(): Promise<void>;
}

/** Serves the surfaces and the console. A worker node serves only its health and metrics. */
export async function startHttp(
  context: StartContext,
  { database, store, space }: OpenStorage,
  { budget }: OpenReaders,
  { keys, keyKinds, services }: RunningEngine,
  built: BuiltSurfaces,
  operatorRoutes: readonly RouteGroup[],
): Promise<RunningHttp> {
  const { config, log, registry, surfaces, clock, databaseClock, ids, background, surroundings } = context;
  const { db, pool } = database;
  registry.addGauges(
    createGauges({ db, clock, surfaces: keyKinds.surfaces, keyWarningDays: config.keyWarningDays }),
  );
  registry.addGauges(resourceGauges(budget, space));
  const windows = perSurface(surfaces, config, ({ requestKeySeconds }) => requestKeySeconds);
  const conflicts = new ConflictLog({
    db,
    clock,
    ids,
    windowSeconds: (surface) => windows[surface] ?? 0,
    onError: background.note,
  });
  const limits = Object.assign({}, ...surfaces.map((surface) => surface.settings(config).limits));
  const health = createHealth({
    db,
    writes: database.writes,
    blobs: store,
    services,
    clock: databaseClock,
    space,
  });
  const servesRoutes = config.role !== 'worker';
  const server = await buildServer({
    settings: httpSettings(config),
    dialects: dialectsOf(surfaces),
    keyKinds,
    authenticate: keys.authenticate,
    limits: new RateLimits(pool, clock, limits),
    ids,
    log,
    budget,
    metrics: registry.metrics,
    registry,
    health,
    onConflict: conflicts.note,
    surfaces: servesRoutes
      ? [
          ...built.all.map(({ built: { api } }) => api),
          ...built.all.flatMap(({ built: { otherRoutes } }) => otherRoutes ?? []),
          ...operatorRoutes,
        ]
      : [],
    ...(servesRoutes && {
      web: { root: surroundings.webRoot ?? WEB_ROOT, docs: DOCS_ROOT, fonts: installedFaces() },
    }),
  });
  const url = await listen(server.app, config);
  for (const { built: surface } of built.all) surface.warmUp?.();
  const { hasWebApp } = server;
  const unclaimed = hasWebApp && !(await hasAnyOperator(db));
  const made = unclaimed ? await makeSignInLink({ db, clock, ids }, webAddress(config, url)) : undefined;
  return {
    url,
    health,
    signInLink: made?.link,
    hasWebApp: hasWebApp || !servesRoutes,
    close: () => server.drain(DRAIN_MS),
  };
}
