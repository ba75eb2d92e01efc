import { Engine } from '#engine/engine.ts';
import type { Outbox } from '#engine/engine-parts.ts';
import { JobKinds } from '#engine/job-kind.ts';
import type { KeyKinds } from '#engine/keys/key-kinds.ts';
import { KeyRing } from '#engine/keys/key-ring.ts';
import { recordSettled } from '#engine/limits/cooldowns.ts';
import { Queue } from '#engine/queue/queue.ts';
import { Signals } from '#engine/queue/signals.ts';
import type { Services } from '#engine/services.ts';
import { createOutbox } from '#engine/webhooks/outbox.ts';
import { systemResolver } from '#engine/webhooks/resolve-host.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import { engineCounters } from './engine-counters.ts';
import { createKeyRefusals } from './key-work.ts';
import type { OpenStorage } from './open-storage.ts';
import { keyKindsOf } from './registries.ts';
import type { StartContext } from './start-context.ts';
import { watchServices } from './watch-services.ts';
import { webhookParts } from './webhook-parts.ts';

/** The engine without workers: it accepts jobs and listens to other nodes. */
export interface RunningEngine {
  readonly engine: Engine;
  /** The surfaces register their kinds here before the workers start. */
  readonly kinds: JobKinds;
  readonly keyKinds: KeyKinds;
  readonly keys: KeyRing;
  readonly signals: Signals;
  readonly services: Services;
  readonly webhooks: WebhookParts;
  readonly outbox: Outbox;
  close(): Promise<void>;
}

export async function startEngine(context: StartContext, storage: OpenStorage): Promise<RunningEngine> {
  const { config, log, registry, clock, ids, surroundings } = context;
  const { metrics } = registry;
  const onError = context.background.note;
  const { database, secret } = storage;
  const { db, pool } = database;
  const { leaseMs } = config;
  const queue = new Queue(pool, { leaseMs, supervise: config.role !== 'api', onError, clock });
  const services = watchServices(context, storage);
  const webhooks = webhookParts(context, {
    database,
    queue,
    services,
    clock,
    ids,
    secrets: secret.box('webhook'),
    resolve: surroundings.resolve ?? systemResolver(),
    ca: surroundings.webhookCa,
    metrics,
  });
  const outbox = createOutbox(webhooks);
  const signals = new Signals(pool, onError);
  const cooldowns = { failedJobs: config.cooldownFailedJobs, ratioJobs: config.cooldownRatioJobs };
  const kinds = new JobKinds();
  const engine = new Engine({
    database,
    queue,
    signals,
    services,
    kinds,
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
  });
  const keyKinds = keyKindsOf(context.surfaces);
  const refusals = createKeyRefusals({ db, clock, metrics, log, onError });
  const close = async () => {
    await refusals.flush().catch(onError);
    await engine.stop(0);
  };
  try {
    await engine.start(storage.directAddress);
  } catch (error) {
    await close();
    throw error;
  }
  const keys = new KeyRing({ kinds: keyKinds, db, clock, onTouchError: onError, onRefused: refusals.note });
  return { engine, kinds, keyKinds, keys, signals, services, webhooks, outbox, close };
}
