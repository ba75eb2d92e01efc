import type { Blobs } from '#engine/blobs.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outbox } from '#engine/engine-parts.ts';
import type { StorageRoom } from '#engine/limits/storage-room.ts';
import type { SecretBox } from '#engine/webhooks/webhook-parts.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import type { Ids } from '#lib/ids.ts';
import type { Database } from '#storage/database.ts';

/** What the kind of this surface works with; it runs in processes without HTTP too. */
export interface IngestKindParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly secrets: SecretBox;
  readonly settings: IngestSettings;
  /** What requests hold in memory draws on it. */
  readonly budget: ByteBudget;
  /** Told when items were accepted, so that what waited for them can be tried again. */
  readonly onAccepted: (partnerNo: number) => void;
}

/** What the routes of this surface work with. */
export interface IngestParts extends IngestKindParts {
  readonly engine: Engine;
  readonly webhookAllow: HostAllowList;
  /** Whether there is room to store more. */
  readonly room: StorageRoom;
}

export interface IngestSettings {
  /** How long a correlation id stands for its first response. */
  readonly correlationWindowSeconds: number;
  /** How long a request waits for the first one with its correlation id. */
  readonly correlationWaitMs: number;
  /** Calls with more items turn into jobs. */
  readonly bulkAsyncThreshold: number;
  readonly maxUpsertBytes: number;
  readonly maxBulkBytes: number;
  readonly autoRedrive: boolean;
  readonly auditSeconds: number;
  readonly jobRetentionSeconds: number;
  /** In front of the paths in answers: the public URL, or the base path, or nothing. */
  readonly urlBase: string;
}

export const PREFIX = '/wms-ingest/v1';
