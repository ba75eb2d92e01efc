import type { Config } from '#config.ts';
import { rollUpLedger } from '#engine/retention/roll-up-ledger.ts';
import { sweep, sweepOrphanFiles } from '#engine/retention/sweep.ts';
import { reconcileWebhooks } from '#engine/webhooks/reconcile.ts';
import type { WebhookParts } from '#engine/webhooks/webhook-parts.ts';
import type { Clock } from '#lib/clock.ts';
import type { Chore, InstallationChore } from '#lib/ticker.ts';
import type { BlobStore } from '#storage/blobs/blob-store.ts';
import type { Database } from '#storage/database.ts';
import { deletePassedWindows } from '#storage/limits/rate-limit-store.ts';
import { sweepConsole } from './build-console.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const TEMPORARY_FILE_MS = HOUR_MS;
const WINDOWS_AT_ONCE = 10_000;

interface ChoreParts {
  readonly database: Database;
  readonly config: Config;
  readonly clock: Clock;
  readonly store: BlobStore;
  readonly webhooks: WebhookParts;
}

/** The periodic work on the files of this node: uploads of requests that crashed. Every node runs it. */
export function localChores({ clock, store }: Pick<ChoreParts, 'clock' | 'store'>): Chore[] {
  return [
    {
      everyMs: 10 * MINUTE_MS,
      run: () => store.sweepTemporary(new Date(clock.now().getTime() - TEMPORARY_FILE_MS)),
    },
  ];
}

/** The periodic work that belongs to no surface: it deletes what has expired and finds webhooks without a queue entry. */
export function chores(parts: ChoreParts): InstallationChore[] {
  const { database, config, clock, store, webhooks } = parts;
  const { db } = database;
  const forget = { db, clock, blobs: store, settings: config };
  return [
    { name: 'webhooks', everyMs: 15 * SECOND_MS, run: () => reconcileWebhooks(webhooks) },
    { name: 'sweep', everyMs: MINUTE_MS, run: () => sweep(forget) },
    {
      name: 'rate-limits',
      everyMs: 10 * MINUTE_MS,
      run: () => deletePassedWindows(db, clock.now(), WINDOWS_AT_ONCE),
    },
    { name: 'console', everyMs: 10 * MINUTE_MS, run: () => sweepConsole(database, clock.now(), config) },
    // Reads the ledger of all months whose jobs are still kept.
    { name: 'ledger', everyMs: HOUR_MS, restMs: 23 * HOUR_MS, run: () => rollUpLedger(forget) },
    // Lists the whole store. Only a database that lost records leaves such files, so once a day is often enough.
    { name: 'orphan-files', everyMs: HOUR_MS, restMs: 23 * HOUR_MS, run: () => sweepOrphanFiles(forget) },
  ];
}
