import { BlobKeeper } from '#engine/blob-keeper.ts';
import { Engine } from '#engine/engine.ts';
import type { EngineParts } from '#engine/engine-parts.ts';
import { JobKinds } from '#engine/job-kind.ts';
import { createKey } from '#engine/keys/create-key.ts';
import type { Lifetime } from '#engine/keys/key-kinds.ts';
import { KeyRing } from '#engine/keys/key-ring.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import { InstallationSecret } from '#engine/secrets.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { LOCAL_WORKBOOK_LIMITS } from '#fill/node/xlsx/workbook-limits.ts';
import { createMetrics } from '#http/metrics.ts';
import { buildServer } from '#http/server.ts';
import { ByteBudget } from '#lib/byte-budget.ts';
import { type Clock, systemClock } from '#lib/clock.ts';
import { FairTurnstile } from '#lib/fair-turnstile.ts';
import { systemIds } from '#lib/ids.ts';
import { createLogger } from '#lib/logger.ts';
import { noMetrics } from '#lib/metrics.ts';
import { DiskBlobs } from '#storage/blobs/disk.ts';
import { type Database, type DatabaseAddress, openDatabase } from '#storage/database.ts';
import { subscribersKinds } from '#subscribers/kind.ts';
import type { SubscribersParts, SubscribersSettings } from '#subscribers/parts.ts';
import { subscribersRoutes } from '#subscribers/routes.ts';
import { sweepUploads } from '#subscribers/uploads/sweep.ts';
import { databaseUrl } from './cli.ts';
import { undocumented } from './documented.ts';
import { dialects, keyKinds, schemes } from './product.ts';
import { testServices } from './services.ts';
import { roomForAll } from './storage-room.ts';

export interface SubscribersNode {
  readonly url: string;
  readonly database: Database;
  readonly engine: Engine;
  readonly deps: SubscribersParts;
  readonly errors: unknown[];
  /** Settings that let commands connect to this installation. */
  readonly env: Readonly<Record<string, string>>;
  newKey(account: string, scopes?: readonly string[], days?: Lifetime): Promise<string>;
  /** Deletes uploads expired by the test's clock and returns their number. A server does this every hour. */
  sweepUploads(): Promise<number>;
  work(): void;
  stop(): Promise<void>;
}

export interface SubscribersOptions {
  readonly address: DatabaseAddress;
  readonly blobRoot: string;
  readonly clock?: Clock;
  /** CA certificates that webhook deliveries trust instead of the system's. */
  readonly ca?: string;
  readonly settings?: Partial<SubscribersSettings>;
}

const secret = new InstallationSecret(Buffer.alloc(32, 7));
const secrets = secret.box('webhook');

/** The Subscribers surface as `main.ts` builds it: real engine, database, blobs, keys, HTTP, webhooks to loopback. */
export async function startSubscribers(options: SubscribersOptions): Promise<SubscribersNode> {
  const clock = options.clock ?? systemClock;
  const ids = systemIds;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const database = openDatabase(options.address, 20, onError);
  const { db, pool } = database;
  const store = await DiskBlobs.open(options.blobRoot);
  const blobs = new BlobKeeper(store, db, clock);
  const queue = new Queue(pool, { leaseMs: 10_000, supervise: true, onError });
  const services = testServices(db);
  const webhooks: WebhookParts = {
    database,
    queue,
    services,
    secrets,
    clock,
    ids,
    resolve: async () => ['127.0.0.1'],
    counters: { attempted() {} },
    schemes,
    settings: {
      allow: { covers: () => true },
      timeoutMs: 10_000,
      retrySeconds: { bulkfill: [60], standard: [60], ingest: [60] },
      ...(options.ca !== undefined && { ca: options.ca }),
    },
  };
  const outbox = createOutbox(webhooks);
  const settings: SubscribersSettings = {
    publicUrl: undefined,
    basePath: '',
    idempotencyWindowSeconds: 86_400,
    webhookAllow: { covers: (host) => host === 'hooks.test' },
    maxCsvBytes: 50_000_000,
    maxCsvRows: 1_000_000,
    exportLinkSeconds: 3_600,
    ...options.settings,
  };
  const common = { db, blobs, clock, ids, secrets, settings, budget: new ByteBudget(1024 ** 3) };
  const parts: EngineParts = {
    database,
    queue,
    services,
    signals: new Signals(pool, onError),
    kinds: new JobKinds(subscribersKinds(common)),
    clock,
    ids,
    outbox,
    onSettled: async () => {},
    counters: { accepted() {}, replayed() {}, conflicted() {}, sliceEnded() {}, rows() {}, settled() {} },
    settings: { deliverySeconds: 21_600, artifactSeconds: 86_400, sliceTimeoutMs: 120_000 },
  };
  const engine = new Engine(parts);
  await engine.start(options.address);
  const signLink = (text: string) => secret.keyedHash('link', text).toString('base64url');
  const line = new FairTurnstile({ size: 2, maxWaitMs: 60_000, maxWaiting: 100 });
  const deps: SubscribersParts = {
    ...common,
    blobs,
    engine,
    outbox,
    signLink,
    room: roomForAll(db),
    signLinkAll: (text) => [signLink(text)],
    line,
    workbooks: LOCAL_WORKBOOK_LIMITS,
  };
  const keys = new KeyRing({ kinds: keyKinds, db, clock, onTouchError: onError });
  const server = await buildServer({
    settings: {
      basePath: '',
      publicUrl: undefined,
      trustProxy: false,
      tls: undefined,
      requestTimeoutMs: 300_000,
      timeoutCheckMs: 1_000,
    },
    dialects,
    keyKinds,
    registry: createMetrics(),
    health: async () => ({}),
    ids,
    log: createLogger({ level: 'silent', pretty: false }),
    metrics: noMetrics,
    authenticate: keys.authenticate,
    limits: { take: async () => ({ ok: true }) },
    surfaces: [subscribersRoutes(deps)],
  });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  let stopped = false;
  return {
    url,
    database,
    engine,
    deps,
    errors,
    env: {
      DATABASE_URL: databaseUrl(options.address),
      ROWPRESS_BLOBS: `file:${options.blobRoot}`,
      ROWPRESS_DATA_DIR: options.blobRoot,
    },
    sweepUploads: () => sweepUploads(deps),
    newKey: async (account, scopes, days) => {
      const made = await createKey(
        { db, kinds: keyKinds, clock, ids, plan: 'unlimited' },
        { surface: 'subscribers', account, scopes, days },
      );
      if (!made.ok) throw new Error(made.reason);
      return made.key;
    },
    work: () =>
      engine.startWorkers({
        slices: 2,
        settles: 1,
        webhooks: 2,
        deliver: async (deliveryId) => void (await handleWebhookTask(webhooks, { deliveryId })),
        chores: [],
        onError,
      }),
    stop: async () => {
      if (stopped) return;
      stopped = true;
      await server.drain(0);
      await engine.stop(2_000);
      await database.close();
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
export type Json = any;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** An API client that has only a base URL and a key, like the vendor's libraries. */
export class ApiClient {
  readonly #base: string;
  readonly #key: string;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const raw = typeof body === 'string' ? body : body === undefined ? null : JSON.stringify(body);
    const response = await fetch(`${this.#base}${path}`, {
      method,
      body: raw,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(raw !== null && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
    const answer = isJson ? JSON.parse(text) : text;
    const code = response.status >= 400 ? answer.error?.code : undefined;
    const fault = undocumented(method, path, response.status, code);
    if (fault !== null) throw new Error(fault);
    return { status: response.status, headers: response.headers, body: answer };
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** Polls as a client does until the job ends. */
  async ended(self: string): Promise<Json> {
    for (let i = 0; i < 1_200; i += 1) {
      const { body } = await this.get(self);
      if (['Completed', 'Failed'].includes(body.data.status)) return body.data;
      await new Promise((resolve) => setTimeout(resolve, i < 20 ? 25 : 100));
    }
    throw new Error(`${self} did not end`);
  }
}
