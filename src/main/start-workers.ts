import type { Config } from '#config.ts';
import { handleWebhookTask } from '#engine/webhooks/deliver.ts';
import { Ticker } from '#lib/ticker.ts';
import type { BuiltSurfaces } from './build-surfaces.ts';
import { chores, localChores } from './chores.ts';
import { expiryChore } from './key-work.ts';
import type { OpenStorage } from './open-storage.ts';
import type { StartContext } from './start-context.ts';
import type { RunningEngine } from './start-engine.ts';

/** Receivers that do not answer hold a place for ten seconds each; the others must not wait for them. */
const WEBHOOKS_AT_ONCE = 64;
const GRACE_MS = 5_000;

/** One per worker, because each writes a whole ZIP, but at most a quarter of the connections: each holds one while it commits. */
export const settlesAtOnce = ({ workers, databasePool }: Pick<Config, 'workers' | 'databasePool'>): number =>
  Math.max(2, Math.min(workers, Math.floor(databasePool / 4)));

export interface RunningWorkers {
  close(): Promise<void>;
}

/** Starts the chores of this node and, unless it only answers requests, its workers and the chores of the installation. */
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
      settles: settlesAtOnce(config),
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
  const tickers = [
    ...localChores({ clock, store }),
    ...surfaces.all.flatMap(({ built }) => built.localChores ?? []),
  ].map((chore) => new Ticker(chore, background.note));
  for (const ticker of tickers) ticker.start();
  return {
    close: async () => {
      await Promise.all([engine.stopWorkers(GRACE_MS), ...tickers.map((ticker) => ticker.stop())]);
    },
  };
}
