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
import type { Lookahead } from './loads/prepare-slice.ts';

/** The dependencies of the job kinds, which also run in processes without HTTP. */
export interface IngestKindParts {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly outbox: Outbox;
  readonly secrets: SecretBox;
  readonly settings: IngestSettings;
  /** Memory budget of the requests. */
  readonly budget: ByteBudget;
  /** The slices of loads that are prepared before they run. */
  readonly lookahead: Lookahead;
  /** Called when items were accepted, so that quarantined items that wait for them can be evaluated again. */
  readonly onAccepted: (partnerNo: number) => void;
}

/** The dependencies of the routes. */
export interface IngestParts extends IngestKindParts {
  readonly engine: Engine;
  readonly webhookAllow: HostAllowList;
  /** Checks whether there is space to store more. */
  readonly room: StorageRoom;
}

export interface IngestSettings {
  /** How long a correlation id belongs to its first request. */
  readonly correlationWindowSeconds: number;
  /** How long a request waits for the first one with its correlation id. */
  readonly correlationWaitMs: number;
  /** Requests with more items become jobs. */
  readonly bulkAsyncThreshold: number;
  readonly maxUpsertBytes: number;
  readonly maxBulkBytes: number;
  readonly autoRedrive: boolean;
  readonly auditSeconds: number;
  readonly jobRetentionSeconds: number;
  /** The prefix of paths in responses: the public URL, the base path, or nothing. */
  readonly urlBase: string;
}

export const PREFIX = '/wms-ingest/v1';
