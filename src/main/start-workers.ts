import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import type { BuiltSurfaces } from './build-surfaces.ts';
import { chores } from './chores.ts';
import { expiryChore } from './key-work.ts';
import type { OpenStorage } from './open-storage.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';

/** Receivers that do not answer hold a place for ten seconds each; the others must not wait for them. */
const WEBHOOKS_AT_ONCE = 64;
const GRACE_MS = 5_000;

export interface RunningWorkers {
  close(): Promise<void>;
}

/** Starts the workers and chores of this node, unless it only answers requests. */
export function startWorkers(
  { config, clock, log, background }: StartContext,
  { database, store }: OpenStorage,
  { engine, webhooks }: RunningEngine,
  surfaces: BuiltSurfaces,
): RunningWorkers {
  const { db } = database;
  const built = new Map(surfaces.all.map(({ spec, built }) => [spec.name, built]));
  if (config.role !== 'api')
    engine.startWorkers({
      slices: config.workers,
      settles: 2,
      webhooks: WEBHOOKS_AT_ONCE,
      deliver: async (deliveryId) => void (await handleWebhookTask(webhooks, { deliveryId })),
      chores: [
        ...chores({ database, config, clock, store, webhooks }),
        ...surfaces.all.flatMap(({ built }) => built.chores ?? []),
        expiryChore({
          db,
          clock,
          log,
          days: config.keyWarningDays,
          announce: async (tx, key) => built.get(key.surface)?.announceExpiringKey?.(tx, key),
        }),
      ],
      onError: background.note,
    });
  return { close: () => engine.stopWorkers(GRACE_MS) };
}
