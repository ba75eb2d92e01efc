import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { directHandOff, type HandOff } from '#bulkfill/bulkfill-parts.ts';
import { InputJudge } from '#bulkfill/create/judge-inputs.ts';
import type { RowSources } from '#bulkfill/create/row-sources.ts';
import { EXPORT_KIND } from '#bulkfill/export-input.ts';
import { exportKind } from '#bulkfill/kind.ts';
import { bulkfillSurface } from '#bulkfill/routes.ts';
import { schemaSurface } from '#bulkfill/schema-route.ts';
import { Templates } from '#bulkfill/templates.ts';
import { FillThreads } from '#bulkfill/threads/fill-threads.ts';
import { RowReaders } from '#bulkfill/threads/row-readers.ts';
import type { Config } from '#config.ts';
import { ConflictLog } from '#console/request-keys/conflict-log.ts';
import { makeSignInLink, webAddress } from '#console/session/sign-in-link.ts';
import { BlobKeeper } from '#engine/blob-keeper.ts';
import { Engine } from '#engine/engine.ts';
import type { EngineParts } from '#engine/engine-parts.ts';
import { joinInstallation } from '#engine/installation.ts';
import { JobKinds } from '#engine/job-kind.ts';
import { KeyRing } from '#engine/keys/key-ring.ts';
import { recordCostlyRefusal, recordSettled } from '#engine/limits/cooldowns.ts';
import { configuredLimits, RateLimits } from '#engine/limits/rate-limits.ts';
import { StorageRoom } from '#engine/limits/storage-room.ts';
import { LocalBlobFiles } from '#engine/local-blob-files.ts';
import { createGauges, createHealth } from '#engine/observe.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import { loadSecretRing } from '#engine/secret-ring.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import { type ResolveHost, systemResolver } from '#engine/webhooks/resolve-host.ts';
import { BaseCache } from '#fill/node/base-cache.ts';
import { readersAtOnce } from '#fill/node/reader-memory.ts';
import { currentSandbox, setSandboxMode } from '#fill/node/sandbox/current.ts';
import { describeLayers } from '#fill/node/sandbox/layers.ts';
import { trustedKeys as acceptedSeals, loadSealKey } from '#fill/node/seal-key.ts';
import { StandbyReader } from '#fill/node/standby-reader.ts';
import { workbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import { httpSettings } from '#http/http-settings.ts';
import type { MetricsRegistry } from '#http/metrics.ts';
import { buildServer } from '#http/server.ts';
import { createIngestSurface } from '#ingest/surface.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { OperatorError } from '#lib/errors/operator-error.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { systemIds } from '#lib/ids.ts';
import type { Log } from '#lib/logger.ts';
import { localDirectories, openBlobStore } from '#storage/blobs/open-blob-store.ts';
import { hasAnyOperator } from '#storage/console/operators.ts';
import { closeFolders } from '#storage/data-dir.ts';
import { FreeSpace, type MeasureDisk } from '#storage/free-space.ts';
import { openMigratedDatabase } from '#storage/open-migrated-database.ts';
import { createSelectRows } from '#subscribers/rows/select-rows.ts';
import { subscribersKinds, subscribersSurface } from '#subscribers/surface.ts';
import type { SubscriberParts } from '#subscribers/surface-deps.ts';
import { BackgroundErrors } from './main/background-errors.ts';
import { chores } from './main/chores.ts';
import { engineCounters } from './main/engine-counters.ts';
import { createKeyRefusals, expiryChore } from './main/key-work.ts';
import { listen } from './main/listen.ts';
import { operatorSurfaces } from './main/operator-console.ts';
import { resourceGauges } from './main/resource-gauges.ts';
import { createRowSources } from './main/row-sources.ts';
import { webhookParts } from './main/webhook-parts.ts';

/** Hanging receivers hold their place for ten seconds each; good ones must not wait for them. */
const WEBHOOKS_AT_ONCE = 64;
const DRAIN_MS = 8_000;
const WORKER_GRACE_MS = 5_000;
const WEB_ROOT = fileURLToPath(new URL('../web/dist', import.meta.url));

export interface RunningServer {
  readonly url: string;
  /** Until somebody has signed in to the console, every start makes a link for it. */
  readonly signInLink: string | undefined;
  stop(): Promise<void>;
}

/** What the world outside gives the server; a test may hand in its own. */
export interface Surroundings {
  readonly clock: Clock;
  readonly resolve: ResolveHost;
  /** Authorities that webhook receivers may be certified by, instead of the machine's. */
  readonly webhookCa: string;
  readonly handOff: HandOff;
  readonly rowSources: RowSources;
  readonly measureDisk: MeasureDisk;
  /** Where the built web app lies. */
  readonly webRoot: string;
}

/**
 * The composition root: everything is built here, once, in order, and stopped in the opposite order. Nothing
 * else in the product makes its own dependencies.
 */
export async function startServer(
  config: Config,
  log: Log,
  registry: MetricsRegistry,
  surroundings: Partial<Surroundings> = {},
): Promise<RunningServer> {
  const started: (() => Promise<void>)[] = [];
  try {
    return await compose(config, log, registry, surroundings, started);
  } catch (error) {
    // A start that fails late (the port is taken) leaves no database and no thread behind.
    for (const stop of started.reverse()) await stop();
    throw error;
  }
}

async function compose(
  config: Config,
  log: Log,
  registry: MetricsRegistry,
  surroundings: Partial<Surroundings>,
  started: (() => Promise<void>)[],
): Promise<RunningServer> {
  const { metrics } = registry;
  const clock = surroundings.clock ?? systemClock;
  const ids = systemIds;
  const background = new BackgroundErrors(log, clock);
  const onError = background.note;

  setSandboxMode(config.sandbox);
  log.info(`sandbox for uploads: ${describeLayers(currentSandbox().layers)}`);
  const storage = await openMigratedDatabase(config, log);
  started.push(storage.close);
  const { database } = storage;
  const { db, pool } = database;
  const budget = new ByteBudget(config.memoryBudgetBytes);
  const secret = await loadSecretRing(config);
  const seal = await loadSealKey(config);
  if (!seal.ok) throw new OperatorError(`ROWPRESS_SEAL_KEY: ${seal.message}.`);
  const store = await openBlobStore(config);
  closeFolders(config.dataDir);
  const { earlierSeals } = await joinInstallation(
    db,
    {
      blobStore: await store.identity(),
      secretKey: secret.current.fingerprint(),
      sealKey: seal.publicKey,
    },
    { secrets: secret.fingerprints() },
  );

  const blobs = new BlobKeeper(store, db, clock);
  const trusted = await acceptedSeals(config);
  if (!trusted.ok) throw new OperatorError(`ROWPRESS_TRUSTED_SEALS: ${trusted.message}.`);
  const trustedKeys = [...new Set([...trusted.keys, ...earlierSeals])];
  const localFiles = new LocalBlobFiles(store, join(config.dataDir, 'blob-copies'), clock);
  const templates = new Templates(blobs, localFiles, trustedKeys, config.maxCellChars);
  const threads = new FillThreads(config.workers);
  started.push(() => threads.close());
  // One place more than there are workers: an account can use as many as there are, and one stays for the others.
  const places = config.workers + 1;
  const waiting = { maxWaitMs: config.lineWaitMs, maxWaiting: config.lineWaitingPerAccount };
  const line = new FairTurnstile({ size: readersAtOnce(places), ...waiting });
  const rowReaders = new RowReaders(new FairTurnstile({ size: places, ...waiting }), config.rowsTimeoutMs);
  started.push(() => rowReaders.close());
  const workbooks = workbookLimits(config);
  const readers = new StandbyReader();
  started.push(() => readers.close());
  const baseCache = new BaseCache(join(config.dataDir, 'prepared'), config.maxPreparedBytes);
  const space = new FreeSpace(localDirectories(config), config.minFreeBytes, surroundings.measureDisk);
  const room = new StorageRoom(db, space, config.plans);

  const queue = new Queue(pool, { leaseMs: config.leaseMs, supervise: config.role !== 'api', onError });
  const webhooks = webhookParts(config, {
    database,
    queue,
    clock,
    ids,
    secrets: secret.box('webhook'),
    resolve: surroundings.resolve ?? systemResolver(),
    ca: surroundings.webhookCa,
    metrics,
  });
  const outbox = createOutbox(webhooks);
  const { secrets } = webhooks;
  const { allow } = webhooks.settings;
  const people: SubscriberParts = {
    db,
    blobs,
    clock,
    ids,
    secrets,
    budget,
    settings: { ...config, webhookAllow: allow },
  };
  const ingest = createIngestSurface({
    database,
    blobs,
    clock,
    ids,
    outbox,
    secrets,
    budget,
    settings: {
      ...config,
      autoRedrive: config.ingestAutoRedrive,
      urlBase: config.publicUrl ?? config.basePath,
    },
    onError,
  });
  const cooldowns = { failedJobs: config.cooldownFailedJobs, ratioJobs: config.cooldownRatioJobs };
  const signals = new Signals(pool, onError);
  const parts: EngineParts = {
    database,
    queue,
    signals,
    kinds: new JobKinds([
      exportKind({ db, blobs, templates, threads, maxStoredBytes: config.maxStoredBytes }),
      ...subscribersKinds(people),
      ...ingest.kinds,
    ]),
    clock,
    ids,
    outbox,
    onSettled: async (tx, job) => {
      if (job.cancelled || job.settled_at === null) return;
      await recordSettled(tx, cooldowns, {
        accountId: job.account_id,
        kind: job.kind,
        failed: job.state === 'failed',
        now: job.settled_at,
      });
    },
    counters: engineCounters(metrics),
    settings: config,
  };
  const engine = new Engine(parts);
  started.push(() => engine.stop(0));
  await engine.start(storage.directAddress);

  const noteCostly = (accountId: string) =>
    recordCostlyRefusal(db, cooldowns, { accountId, kind: EXPORT_KIND, now: clock.now() });
  const judge = new InputJudge({
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
  const bulkfill = bulkfillSurface({
    engine,
    db,
    blobs,
    templates,
    rowReaders,
    line,
    noteCostly,
    clock,
    ids,
    handOff: surroundings.handOff ?? directHandOff,
    budget,
    room,
    rowSources: surroundings.rowSources ?? createRowSources(createSelectRows(people), ingest.selectRows),
    judge,
    secrets,
    keyedHashes: (text) => secret.keyedHashes('webhook-secret', text).map((hash) => hash.toString('hex')),
    resolve: webhooks.resolve,
    allow,
    settings: { ...config, cooldowns, workbooks },
  });
  registry.addGauges(createGauges(db, clock, config.keyWarningDays));
  registry.addGauges(resourceGauges(budget, space));
  const refusals = createKeyRefusals({ db, clock, metrics, log, onError });
  const keys = new KeyRing({ db, clock, onTouchError: onError, onRefused: refusals.note });
  const surfaces = [
    bulkfill,
    subscribersSurface({
      ...people,
      blobs,
      engine,
      outbox,
      room,
      line,
      workbooks,
      signLink: (text) => secret.current.keyedHash('subscribers-download', text).toString('base64url'),
      signLinkAll: (text) =>
        secret.keyedHashes('subscribers-download', text).map((hash) => hash.toString('base64url')),
    }),
    ingest.surface({ engine, webhookAllow: allow, room }),
  ];
  const operators = operatorSurfaces(config, {
    database,
    secret,
    seal: { secretKey: seal.secretKey, trustedKeys },
    readers,
    line,
    budget,
    room,
    space,
    background,
    surfaces,
    clock,
    ids,
    engine,
    signals,
    blobs,
    webhooks,
    forgetKey: (id) => keys.forget(id),
  });
  const conflicts = new ConflictLog({
    db,
    clock,
    ids,
    windowSeconds: (surface) =>
      surface === 'ingest' ? config.correlationWindowSeconds : config.idempotencyWindowSeconds,
    onError,
  });
  const server = await buildServer({
    settings: httpSettings(config),
    authenticate: keys.authenticate,
    limits: new RateLimits(pool, clock, configuredLimits(config)),
    ids,
    log,
    budget,
    metrics,
    registry,
    health: createHealth(db, store),
    onConflict: conflicts.note,
    surfaces: config.role === 'worker' ? [] : [...surfaces, schemaSurface, ...operators],
    ...(config.role !== 'worker' && { webRoot: surroundings.webRoot ?? WEB_ROOT }),
  });

  if (config.role !== 'api') {
    engine.startWorkers({
      slices: config.workers,
      settles: 2,
      webhooks: WEBHOOKS_AT_ONCE,
      deliver: async (deliveryId) => void (await handleWebhookTask(webhooks, { deliveryId })),
      chores: [
        ...chores({ database, config, clock, store, webhooks, people, baseCache, localFiles }),
        ...ingest.chores,
        expiryChore({ db, clock, log, days: config.keyWarningDays, announce: ingest.announceExpiringKey }),
      ],
      onError,
    });
  }
  const url = await listen(server.app, config);
  threads.warmUp(onError);
  rowReaders.warmUp();
  const unclaimed = config.role !== 'worker' && !(await hasAnyOperator(db));
  const made = unclaimed ? await makeSignInLink({ db, clock, ids }, webAddress(config, url)) : undefined;

  return {
    url,
    signInLink: made?.link,
    stop: async () => {
      await server.drain(DRAIN_MS);
      await engine.stop(WORKER_GRACE_MS);
      await refusals.flush().catch(onError);
      await Promise.all([threads.close(), rowReaders.close(), readers.close()]);
      await storage.close();
    },
  };
}
