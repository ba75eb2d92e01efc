import { join } from 'node:path';
import type { Config } from '#config.ts';
import { actingRoutes } from '#console/acting/acting-routes.ts';
import { consoleLimits } from '#console/console-limits.ts';
import type { ConsoleParts } from '#console/console-parts.ts';
import { HealthProbe } from '#console/health/health-probe.ts';
import { AllJobViews } from '#console/job-views.ts';
import { PackageSealer } from '#console/packages/package-sealer.ts';
import { consoleRoutes } from '#console/routes.ts';
import { OpenReads, readerOf } from '#console/session/open-reads.ts';
import { sessionBounds } from '#console/session/session-times.ts';
import { buildSingleSignOn } from '#console/single-sign-on/single-sign-on.ts';
import { RateLimits } from '#engine/limits/rate-limits.ts';
import { queueNames } from '#engine/queue/queue.ts';
import { DEFAULT_PARSE_LIMITS, inspectInChild } from '#fill/node/prepare-in-child.ts';
import type { RouteGroup } from '#http/route-group.ts';
import { deletePassedChallenges } from '#storage/console/passkey-challenges.ts';
import { deletePassedConsoleRecords, findLiveSessions } from '#storage/console/sessions.ts';
import type { Database } from '#storage/database.ts';
import type { BuiltSurfaces } from './build-surfaces.ts';
import type { OpenReaders } from './open-readers.ts';
import type { OpenStorage } from './open-storage.ts';
import { defaultDaysOf } from './registries.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';

/** Builds the operator API, and the surfaces once more for operators who act for an account. */
export function buildConsole(
  context: StartContext,
  storage: OpenStorage,
  readers: OpenReaders,
  engine: RunningEngine,
  surfaces: BuiltSurfaces,
): RouteGroup[] {
  const parts = consoleParts(context, storage, readers, engine, surfaces);
  return [consoleRoutes(parts), ...surfaces.all.map(({ spec, built }) => actingRoutes(spec, built, parts))];
}

function consoleParts(
  { config, log, surfaces: specs, clock, ids, background }: StartContext,
  { database, secret, seal, blobs, space, room }: OpenStorage,
  { budget, line, readers }: OpenReaders,
  { engine, keyKinds, keys, services, signals, webhooks }: RunningEngine,
  surfaces: BuiltSurfaces,
): ConsoleParts {
  const { db, pool } = database;
  const limits = { ...DEFAULT_PARSE_LIMITS, maxPages: config.maxPages };
  const alwaysSecure = config.tlsCert !== undefined || config.publicUrl?.startsWith('https:') === true;
  const times = { idleSeconds: config.sessionIdleSeconds, maxSeconds: config.sessionMaxSeconds };
  return {
    db,
    clock,
    ids,
    engine,
    signals,
    blobs,
    webhooks,
    budget,
    room,
    keyKinds,
    forgetKey: (id) => keys.forget(id),
    surfaces: surfaces.all.map(({ spec, built }) => ({
      name: spec.name,
      webhookScheme: spec.webhookScheme.name,
      needs: spec.needs,
      operatorRoutes: built.operatorRoutes,
    })),
    views: new AllJobViews(new Map(surfaces.all.map(({ spec, built }) => [spec.name, built.jobViews]))),
    session: {
      db,
      clock,
      times,
      cookie: { basePath: config.basePath, alwaysSecure },
      openReads: new OpenReads(async (readers) => {
        const hashes = readers.map((reader) => Buffer.from(reader.split(' ', 1)[0] ?? '', 'hex'));
        const live = await findLiveSessions(db, hashes, sessionBounds(clock.now(), times));
        return new Set(live.map(readerOf));
      }, background.note),
      csrfTokenOf: (token) => secret.current.keyedHash('console-csrf', token).toString('base64url'),
      acceptedCsrfTokensOf: (token) =>
        secret.keyedHashes('console-csrf', token).map((hash) => hash.toString('base64url')),
    },
    singleSignOn: buildSingleSignOn(config, clock, (problem) =>
      log.warn({ reason: problem }, 'single sign-on is off'),
    ),
    limits: new RateLimits(pool, clock, consoleLimits),
    sealer: new PackageSealer({
      secretKey: seal.secretKey,
      inspect: (pdf, turn) => line.run(turn, (signal) => inspectInChild(pdf, limits, readers.take(), signal)),
    }),
    health: new HealthProbe({
      db,
      clock,
      dataDir: config.dataDir,
      budget,
      space,
      preparedDir: join(config.dataDir, 'prepared'),
      queueNames,
      role: config.role,
      workers: config.role === 'api' ? 0 : config.workers,
      startedAt: clock.now(),
      failures: () => background.lastHour(),
      outages: () => services.outages,
    }),
    settings: { ...config, keyDays: defaultDaysOf(specs, config), sealPublicKeys: seal.trustedKeys },
    onError: background.note,
  };
}

/** Deletes sessions, links, challenges and audit entries that the console no longer needs; safe on all nodes. */
export async function sweepConsole(
  { db }: Pick<Database, 'db'>,
  now: Date,
  { auditSeconds }: Pick<Config, 'auditSeconds'>,
): Promise<number> {
  const actionsBefore = new Date(now.getTime() - auditSeconds * 1000);
  return (await deletePassedChallenges(db, now)) + (await deletePassedConsoleRecords(db, now, actionsBefore));
}
