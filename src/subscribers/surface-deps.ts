import type { Engine } from '../engine/engine.ts';
import type { Outbox } from '../engine/engine-parts.ts';
import type { SecretBox } from '../engine/webhooks/webhook-parts.ts';
import type { Clock } from '../lib/clock.ts';
import type { HostAllowList } from '../lib/host-allow-list.ts';
import type { Ids } from '../lib/ids.ts';
import type { Db } from '../storage/database.ts';

/** The part of the blob store this surface uses. */
export interface SubscriberBlobs {
  /** Streams to a temporary file while hashing; visible only when whole. A source that throws leaves nothing. */
  put(content: AsyncIterable<Uint8Array>): Promise<{ readonly digest: string; readonly sizeBytes: number }>;
  /** `end` is exclusive. */
  read(digest: string, range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

export interface SubscriberSettings {
  /** Address people reach this server by; without it links are made from the request. */
  readonly publicUrl: string | undefined;
  readonly basePath: string;
  readonly idempotencyWindowSeconds: number;
  readonly webhookAllow: HostAllowList;
  readonly maxCsvBytes: number;
  readonly maxCsvRows: number;
}

/** What both the job kinds and the routes work with. */
export interface SubscriberParts {
  readonly db: Db;
  readonly blobs: SubscriberBlobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: SecretBox;
  readonly settings: SubscriberSettings;
}

/** Routes also accept jobs and tell of single changes. */
export interface SurfaceDeps extends SubscriberParts {
  readonly engine: Engine;
  readonly outbox: Outbox;
}

export const MAX_CSV_BYTES = 50_000_000;
export const MAX_CSV_ROWS = 1_000_000;
