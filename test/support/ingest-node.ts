import { BlobKeeper } from '#engine/blob-keeper.ts';
import { Engine } from '#engine/engine.ts';
import type { EngineParts } from '#engine/engine-parts.ts';
import { JobKinds } from '#engine/job-kind.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import { InstallationSecret } from '#engine/secrets.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { createIngestWork, type IngestWork } from '#ingest/build.ts';
import type { IngestSettings } from '#ingest/parts.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { type Database, type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { schemes } from './product.ts';
import { testServices } from './services.ts';

export interface IngestNodeOptions {
  readonly address: DatabaseAddress;
  readonly blobRoot: string;
  readonly clock?: Clock;
  readonly settings?: Partial<IngestSettings>;
  readonly webhookAllow?: readonly string[];
  /** CA certificates that webhook deliveries trust instead of the system's. */
  readonly ca?: string;
  readonly workers?: number;
  readonly onError?: (error: unknown) => void;
}

export interface IngestNode {
  readonly database: Database;
  readonly engine: Engine;
  readonly work: IngestWork;
  startWorkers(): void;
  stop(): Promise<void>;
}

/** Everything below HTTP, as built by the composition root. */
export async function startIngestNode(options: IngestNodeOptions): Promise<IngestNode> {
  const { clock = systemClock, address } = options;
  const onError = options.onError ?? (() => {});
  const database = openDatabase(address, 20, onError);
  const blobs = new BlobKeeper(await DiskBlobs.open(options.blobRoot), database.db, clock);
  const queue = new Queue(database.pool, {
    leaseMs: 10_000,
    supervise: (options.workers ?? 1) > 0,
    onError,
  });
  const services = testServices(database.db);
  const secrets = new InstallationSecret(Buffer.alloc(32, 7)).box('webhook');
  const webhooks: WebhookParts = {
    database,
    queue,
    services,
    secrets,
    clock,
    ids: systemIds,
    resolve: async () => ['127.0.0.1'],
    counters: { attempted() {} },
    schemes,
    settings: {
      allow: { covers: () => true },
      timeoutMs: 10_000,
      retrySeconds: { bulkfill: [], standard: [], ingest: [] },
      ...(options.ca !== undefined && { ca: options.ca }),
    },
  };
  const outbox = createOutbox(webhooks);
  const settings: IngestSettings = {
    correlationWindowSeconds: 2_592_000,
    correlationWaitMs: 10_000,
    bulkAsyncThreshold: 5000,
    maxUpsertBytes: 4 * 1024 ** 2,
    maxBulkBytes: 1024 ** 3,
    autoRedrive: false,
    auditSeconds: 34_560_000,
    jobRetentionSeconds: 2_592_000,
    urlBase: '',
    ...options.settings,
  };
  const work = createIngestWork({
    database,
    blobs,
    clock,
    ids: systemIds,
    outbox,
    secrets,
    settings,
    budget: new ByteBudget(1024 ** 3),
    onError,
  });
  const parts: EngineParts = {
    database,
    queue,
    services,
    signals: new Signals(database.pool, onError),
    kinds: new JobKinds(work.kinds),
    clock,
    ids: systemIds,
    outbox,
    onSettled: async () => {},
    counters: { accepted() {}, replayed() {}, conflicted() {}, sliceEnded() {}, rows() {}, settled() {} },
    settings: { deliverySeconds: 21_600, artifactSeconds: 86_400, sliceTimeoutMs: 60_000 },
  };
  const engine = new Engine(parts);
  await engine.start(address);
  return {
    database,
    engine,
    work,
    startWorkers: () =>
      engine.startWorkers({
        slices: options.workers || 1,
        settles: 1,
        webhooks: 1,
        deliver: async (deliveryId) => void (await handleWebhookTask(webhooks, { deliveryId })),
        chores: work.chores,
        onError,
      }),
    stop: async () => {
      await engine.stop(2_000);
      await database.close();
    },
  };
}
