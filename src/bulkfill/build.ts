import { join } from 'node:path';
import { PackageSealer } from '#console/packages/package-sealer.ts';
import { DeliveredObjects } from '#engine/delivered-objects.ts';
import { recordCostlyRefusal } from '#engine/limits/cooldowns.ts';
import { LocalBlobFiles } from '#engine/local-blob-files.ts';
import { ROW_PASSWORDS, VERIFY_IDS } from '#fill/fill-options.ts';
import { BaseCache } from '#fill/node/base-cache.ts';
import { DEFAULT_PARSE_LIMITS, inspectInChild } from '#fill/node/prepare-in-child.ts';
import { FillThreads } from '#fill/node/threads/fill-threads.ts';
import { THREAD_LIMITS } from '#fill/node/threads/thread-failure.ts';
import { workbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { findPreparedBase, recordPreparedBase } from '#storage/prepared-bases.ts';
import type { BuiltSurface, SurfaceParts } from '#surface.ts';
import { cloudHandOff, directHandOff, type HandOff } from './artifact/hand-off.ts';
import { InputJudge } from './create/judge-inputs.ts';
import { RowSources } from './create/row-sources.ts';
import { EXPORT_KIND } from './export-input.ts';
import { bulkfillJobViews } from './job-views.ts';
import { exportKind } from './kind.ts';
import { libraryRoutes } from './library/routes.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { bulkfillRoutes } from './routes.ts';
import { schemaRoutes } from './schema-route.ts';
import { sealsRoutes } from './seals-route.ts';
import { Templates } from './templates.ts';
import { RowReaders } from './threads/row-readers.ts';
import { verifyRoutes } from './verify/routes.ts';

/** Dependencies that a test may replace. */
export interface BulkfillOverrides {
  readonly handOff?: Partial<HandOff>;
  readonly rowSources?: RowSources;
}

const HOUR_MS = 3_600_000;
const PREPARED_BASE_MS = 24 * HOUR_MS;
const BLOB_COPY_MS = HOUR_MS;

/** Builds Bulk Fill with its threads, caches and routes. */
export function buildBulkfill(parts: SurfaceParts, overrides: BulkfillOverrides): BuiltSurface {
  const { config, clock, blobs, secret, trustedKeys, budget, line, readers, webhooks } = parts;
  const { db } = parts.database;
  const localFiles = new LocalBlobFiles(
    parts.store,
    join(config.dataDir, 'blob-copies'),
    clock,
    parts.dataKeys,
  );
  const derived = (purpose: string) => () => secret.current.derive(purpose).toString('hex');
  const templates = new Templates(blobs, localFiles, trustedKeys, config.maxCellChars, {
    passwords: derived(ROW_PASSWORDS),
    verifyIds: derived(VERIFY_IDS),
  });
  const baseCache = new BaseCache(
    join(config.dataDir, 'prepared'),
    config.maxPreparedBytes,
    config.encryptBlobs ? secret.current.derive('prepared-bases') : undefined,
  );
  const threads = new FillThreads(config.workers, THREAD_LIMITS);
  const rowReaders = new RowReaders(
    new FairTurnstile({
      // One more than the workers: one account can use all workers, and one place is left for the others.
      size: config.workers + 1,
      maxWaitMs: config.lineWaitMs,
      maxWaiting: config.lineWaitingPerAccount,
    }),
    config.rowsTimeoutMs,
  );
  const limits = { ...DEFAULT_PARSE_LIMITS, maxPages: config.maxPages };
  const cooldowns = { failedJobs: config.cooldownFailedJobs, ratioJobs: config.cooldownRatioJobs };
  const noteCostly = (accountId: string, kind = EXPORT_KIND) =>
    recordCostlyRefusal(db, cooldowns, { accountId, kind, now: clock.now() });
  const judge = new InputJudge({
    bases: {
      find: (key) => findPreparedBase(db, key),
      record: (key, prepared) => recordPreparedBase(db, key, prepared),
    },
    templates,
    cache: baseCache,
    readers,
    trustedKeys,
    maxPages: config.maxPages,
    keepActions: config.keepPdfActions,
    maxPackageBytes: config.maxPackageBytes,
    budget,
    line,
    noteCostly,
  });
  const handOff = { ...handOffOf(parts), ...overrides.handOff };
  const routeParts = {
    engine: parts.engine,
    db,
    blobs,
    templates,
    rowReaders,
    line,
    noteCostly,
    clock,
    ids: parts.ids,
    handOff,
    budget,
    room: parts.room,
    rowSources: overrides.rowSources ?? new RowSources(parts.rowSources),
    judge,
    secrets: webhooks.secrets,
    keyedHashes: (text: string) =>
      secret.keyedHashes('webhook-secret', text).map((hash) => hash.toString('hex')),
    resolve: webhooks.resolve,
    allow: webhooks.settings.allow,
    settings: { ...config, cooldowns, workbooks: workbookLimits(config) },
    sealer: new PackageSealer({
      secretKey: parts.sealKey,
      inspect: (pdf, turn) => line.run(turn, (signal) => inspectInChild(pdf, limits, readers.take(), signal)),
    }),
  };
  return {
    kinds: [
      exportKind({
        db,
        blobs,
        templates,
        threads,
        maxStoredBytes: config.maxStoredBytes,
        handOff,
        sealKey: parts.sealKey,
        clock,
        verifySeconds: config.verifySeconds,
      }),
    ],
    jobViews: bulkfillJobViews(db, config.keepPdfActions),
    localChores: [
      {
        everyMs: 600_000,
        run: () => localFiles.sweep(new Date(clock.now().getTime() - BLOB_COPY_MS)),
      },
      { everyMs: HOUR_MS, run: () => baseCache.sweep(clock.now(), PREPARED_BASE_MS) },
    ],
    api: bulkfillRoutes(routeParts),
    actedRoutes: libraryRoutes(routeParts),
    otherRoutes: [
      schemaRoutes,
      sealsRoutes({ db, clock }),
      verifyRoutes({ db, clock, isOn: config.verify }),
      mcpRoutes(config),
    ],
    warmUp: () => {
      threads.warmUp(parts.onError);
      rowReaders.warmUp();
    },
    close: async () => void (await Promise.all([threads.close(), rowReaders.close()])),
  };
}

function handOffOf({ config, store, database, clock }: SurfaceParts): HandOff {
  if (config.delivery === 'direct') return directHandOff;
  // The settings are checked at the start (config/cross-checks.ts).
  if (store.linked === undefined) throw new Error('bug: cloud delivery without an object store');
  return cloudHandOff(new DeliveredObjects(store.linked, database.db, clock), config.maxStoredBytes);
}
