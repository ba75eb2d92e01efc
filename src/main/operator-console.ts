import { join } from 'node:path';
import type { Config } from '#config.ts';
import { actingSurface } from '#console/acting/acting-surface.ts';
import { consoleLimits } from '#console/console-limits.ts';
import type { ConsoleParts } from '#console/console-parts.ts';
import { HealthProbe } from '#console/health/health-probe.ts';
import { PackageSealer } from '#console/packages/package-sealer.ts';
import { OpenReads } from '#console/session/open-reads.ts';
import { sessionBounds } from '#console/session/session-times.ts';
import { consoleSurface } from '#console/surface.ts';
import { defaultDaysOf } from '#engine/keys/key-kinds.ts';
import { RateLimits } from '#engine/limits/rate-limits.ts';
import { queueNames } from '#engine/queue/queue.ts';
import type { SecretRing } from '#engine/secret-ring.ts';
import { DEFAULT_PARSE_LIMITS, inspectInChild } from '#fill/node/prepare-in-child.ts';
import type { StandbyReader } from '#fill/node/standby-reader.ts';
import type { SurfaceSpec } from '#http/surface.ts';
import type { PublicDialect } from '#lib/errors/catalogue.ts';
import type { FairTurnstile } from '#lib/fair-turnstile.ts';
import { deletePassedConsoleRecords, findLiveSessions } from '#storage/console/sessions.ts';
import type { Database } from '#storage/database.ts';
import type { FreeSpace } from '#storage/free-space.ts';
import type { BackgroundErrors } from './background-errors.ts';
import { surfaceViews } from './surface-views.ts';

/** What the console takes over from the rest of the server. */
export interface ConsoleInputs
  extends Pick<
    ConsoleParts,
    'clock' | 'ids' | 'engine' | 'signals' | 'blobs' | 'budget' | 'room' | 'webhooks' | 'forgetKey'
  > {
  readonly database: Database;
  readonly secret: SecretRing;
  readonly seal: { readonly secretKey: Uint8Array; readonly trustedKeys: readonly string[] };
  readonly readers: StandbyReader;
  /** The line in front of the children that read uploads. */
  readonly line: FairTurnstile;
  readonly space: FreeSpace;
  readonly background: BackgroundErrors;
  /** The surfaces an operator may act on. */
  readonly surfaces: readonly SurfaceSpec[];
}

/** The operator API and the surfaces behind its door. */
export function operatorSurfaces(config: Config, inputs: ConsoleInputs): SurfaceSpec[] {
  const parts = consoleParts(config, inputs);
  const acting = inputs.surfaces
    .filter((spec): spec is SurfaceSpec & { dialect: PublicDialect } => spec.dialect !== 'console')
    .map((spec) => actingSurface(spec, parts));
  return [consoleSurface(parts), ...acting];
}

function consoleParts(config: Config, inputs: ConsoleInputs): ConsoleParts {
  const { database, secret, seal, readers, line, background, clock, blobs, budget, space } = inputs;
  const { db, pool } = database;
  const limits = { ...DEFAULT_PARSE_LIMITS, maxPages: config.maxPages };
  const alwaysSecure = config.tlsCert !== undefined || config.publicUrl?.startsWith('https:') === true;
  const times = { idleSeconds: config.sessionIdleSeconds, maxSeconds: config.sessionMaxSeconds };
  return {
    ...inputs,
    db,
    session: {
      db,
      clock,
      times,
      cookie: { basePath: config.basePath, alwaysSecure },
      openReads: new OpenReads(
        (tokenHashes) => findLiveSessions(db, tokenHashes, sessionBounds(clock.now(), times)),
        background.note,
      ),
      csrfTokenOf: (token) => secret.current.keyedHash('console-csrf', token).toString('base64url'),
      acceptedCsrfTokensOf: (token) =>
        secret.keyedHashes('console-csrf', token).map((hash) => hash.toString('base64url')),
    },
    limits: new RateLimits(pool, clock, consoleLimits),
    views: surfaceViews({ db, blobs }),
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
    }),
    settings: { ...config, keyDays: defaultDaysOf(config), sealPublicKeys: seal.trustedKeys },
    onError: background.note,
  };
}

/** Forgets what the console no longer needs; safe on all nodes. */
export function sweepConsole(
  { db }: Pick<Database, 'db'>,
  now: Date,
  { auditSeconds }: Pick<Config, 'auditSeconds'>,
): Promise<number> {
  return deletePassedConsoleRecords(db, now, new Date(now.getTime() - auditSeconds * 1000));
}
