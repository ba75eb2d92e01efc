import type { Clock } from '#lib/clock.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import type { Ids } from '#lib/ids.ts';
import type { Database, Tx } from '#storage/database.ts';
import type { Services } from '../services.ts';
import type { ResolveHost } from './resolve-host.ts';
import type { WebhookSchemes } from './webhook-scheme.ts';

/** The dependencies of webhooks, created once in `main.ts`. */
export interface WebhookParts {
  readonly database: Database;
  readonly queue: WebhookQueue;
  readonly services: Services;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly resolve: ResolveHost;
  readonly counters: WebhookCounters;
  readonly schemes: WebhookSchemes;
  readonly settings: WebhookSettings;
}

export interface WebhookSettings {
  /** The operator's exemptions from the address rules. */
  readonly allow: HostAllowList;
  readonly timeoutMs: number;
  /** Offsets from the first failure, by scheme; their number plus one is the number of attempts. */
  readonly retrySeconds: Readonly<Record<string, readonly number[]>>;
  /** Replaces the trusted roots (tests). */
  readonly ca?: string;
}

/** Entries are written in the caller's transaction and handed out at `at`. They may arrive twice or early. */
export interface WebhookQueue {
  addWebhook(tx: Tx, deliveryId: string, at: Date, alreadyWaiting: number): Promise<void>;
}

/** Encryption at rest with the installation's key. */
export interface SecretBox {
  seal(plain: string): Buffer;
  open(box: Buffer): string;
}

export interface WebhookCounters {
  attempted(scheme: string, result: 'delivered' | 'failed' | 'exhausted' | 'late'): void;
}
