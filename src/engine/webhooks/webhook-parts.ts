import type { Clock } from '#lib/clock.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import type { Ids } from '#lib/ids.ts';
import type { Database, Tx } from '#storage/database.ts';
import type { ResolveHost } from './resolve-host.ts';
import type { WebhookScheme } from './sign.ts';

/** What webhooks are built from; built once in `main.ts`. */
export interface WebhookParts {
  readonly database: Database;
  readonly queue: WebhookQueue;
  readonly secrets: SecretBox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly resolve: ResolveHost;
  readonly counters: WebhookCounters;
  readonly settings: WebhookSettings;
}

export interface WebhookSettings {
  /** Operator's exemptions from the address rules. */
  readonly allow: HostAllowList;
  readonly timeoutMs: number;
  /** Offsets from the first failure; their number plus one is the number of attempts. */
  readonly retrySeconds: Readonly<Record<WebhookScheme, readonly number[]>>;
  /** Replaces the trusted roots (tests). */
  readonly ca?: string;
}

/** An entry is written in the caller's transaction and handed out at `at`; entries may come twice or early. */
export interface WebhookQueue {
  addWebhook(tx: Tx, deliveryId: string, at: Date, alreadyWaiting: number): Promise<void>;
}

/** Encryption at rest with the installation's key. */
export interface SecretBox {
  seal(plain: string): Buffer;
  open(box: Buffer): string;
}

export interface WebhookCounters {
  attempted(scheme: WebhookScheme, result: 'delivered' | 'failed' | 'exhausted' | 'late'): void;
}
