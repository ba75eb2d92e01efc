import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import type { SecretBox, WebhookParts, WebhookSettings } from '#engine/webhooks/webhook-parts.ts';
import { sealSecrets } from '#engine/webhooks/webhook-secrets.ts';
import type { Clock } from '#lib/clock.ts';
import { systemIds } from '#lib/ids.ts';
import type { Database } from '#storage/database.ts';
import { createAuthority } from './certificates.ts';
import { openTestDatabase } from './database.ts';
import { schemes } from './product.ts';
import { testServices } from './services.ts';

export const authority = createAuthority();
/** Certificate for `hooks.test`, which the test resolver maps to loopback. */
export const certificate = authority.issue(['hooks.test']);

/** Not encryption: only enough to detect values that are stored or read without the box. */
export const testSecretBox: SecretBox = {
  seal: (plain) => Buffer.from(`sealed:${Buffer.from(plain).toString('hex')}`),
  open: (box) => Buffer.from(box.toString().replace(/^sealed:/, ''), 'hex').toString(),
};

export interface QueuedTask {
  readonly deliveryId: string;
  readonly at: Date;
  readonly alreadyWaiting: number;
}

export interface TestWebhooks {
  readonly parts: WebhookParts;
  readonly database: Database;
  readonly accountId: string;
  /** Queued items in order; nothing consumes them. */
  readonly queued: QueuedTask[];
  readonly counted: string[];
  emit(event?: Partial<TestEvent>): Promise<{ eventId: string; deliveryIds: string[] }>;
  attempt(deliveryId: string): ReturnType<typeof handleWebhookTask>;
}

export interface TestEvent {
  readonly urls: readonly string[];
  readonly scheme: 'bulkfill' | 'standard' | 'ingest';
  readonly secrets: readonly [string, ...string[]];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface TestWebhookOptions {
  readonly clock: Clock;
  readonly database?: Database;
  readonly queue?: WebhookParts['queue'];
  readonly settings?: Partial<WebhookSettings>;
  readonly resolve?: WebhookParts['resolve'];
}

/** Webhooks with their own database, a queue that only records, and loopback for every name. */
export async function createTestWebhooks(options: TestWebhookOptions): Promise<TestWebhooks> {
  const database = options.database ?? (await openTestDatabase());
  const queued: QueuedTask[] = [];
  const counted: string[] = [];
  const parts: WebhookParts = {
    database,
    queue: options.queue ?? {
      addWebhook: async (_, deliveryId, at, alreadyWaiting) =>
        void queued.push({ deliveryId, at, alreadyWaiting }),
    },
    services: testServices(database.db),
    secrets: testSecretBox,
    clock: options.clock,
    ids: systemIds,
    resolve: options.resolve ?? (async () => ['127.0.0.1']),
    counters: { attempted: (scheme, result) => void counted.push(`${scheme} ${result}`) },
    schemes,
    settings: {
      allow: { covers: () => true },
      timeoutMs: 10_000,
      retrySeconds: {
        bulkfill: [60, 300, 1800, 3600, 7200],
        standard: [60, 300, 1800, 3600, 7200],
        ingest: [0, 5, 30],
      },
      ca: authority.ca,
      ...options.settings,
    },
  };
  const accountId = systemIds.uuid();
  await database.pool.query(
    `insert into accounts (id, name, plan, created_at) values ($1::uuid, $1::text, 'unlimited', now())`,
    [accountId],
  );
  const outbox = createOutbox(parts);
  const emit = async (event: Partial<TestEvent> = {}) => {
    const eventId = systemIds.uuid();
    const scheme = event.scheme ?? 'bulkfill';
    const secrets = sealSecrets(testSecretBox, event.secrets ?? ['shared secret']);
    const body = event.body ?? { event: 'bulkfill.export_job.completed', event_id: eventId };
    await database.db.transaction().execute((tx) =>
      outbox.record(tx, {
        eventId,
        accountId,
        jobId: null,
        occurredAt: options.clock.now(),
        surface: 'bulkfill',
        type: 'bulkfill.export_job.completed',
        body,
        targets: (event.urls ?? []).map((url) => ({ url, scheme, secrets })),
      }),
    );
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from webhook_deliveries where event_id = $1 order by id',
      [eventId],
    );
    return { eventId, deliveryIds: rows.map((row) => row.id) };
  };
  const attempt = (deliveryId: string) => handleWebhookTask(parts, { deliveryId });
  return { parts, database, accountId, queued, counted, emit, attempt };
}

export function only<T>(items: readonly T[]): T {
  const [first, ...others] = items;
  if (first === undefined || others.length > 0) throw new Error(`expected one, got ${items.length}`);
  return first;
}
