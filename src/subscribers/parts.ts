import type { BlobKeeper } from '#engine/blob-keeper.ts';
import type { Blobs } from '#engine/blobs.ts';
import type { Engine } from '#engine/engine.ts';
import type { Outbox } from '#engine/engine-parts.ts';
import type { StorageRoom } from '#engine/limits/storage-room.ts';
import type { SecretBox } from '#engine/webhooks/webhook-parts.ts';
import type { WorkbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import type { ByteBudget } from '#lib/byte-budget.ts';
import type { Clock } from '#lib/clock.ts';
import type { FairTurnstile } from '#lib/fair-turnstile.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import type { Ids } from '#lib/ids.ts';
import type { Db } from '#storage/database.ts';

export interface SubscribersSettings {
  /** The public address of this server; without it, links use the address of the request. */
  readonly publicUrl: string | undefined;
  readonly basePath: string;
  readonly idempotencyWindowSeconds: number;
  readonly webhookAllow: HostAllowList;
  readonly maxCsvBytes: number;
  readonly maxCsvRows: number;
  readonly exportLinkSeconds: number;
  /** People per slice of an export, if a test needs fewer. */
  readonly exportSlicePeople?: number;
}

/** The dependencies of the job kinds. */
export interface SubscribersKindParts {
  readonly db: Db;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: SecretBox;
  readonly settings: SubscribersSettings;
  /** Memory budget of the requests. */
  readonly budget: ByteBudget;
}

/** The dependencies of the routes, which also accept jobs and announce single changes. */
export interface SubscribersParts extends SubscribersKindParts {
  /** Includes the temporary area, which holds uploads until they are read. */
  readonly blobs: Blobs & Pick<BlobKeeper, 'receive'>;
  /** Returns a keyed hash of the text for a URL. All nodes of an installation return the same. */
  signLink(text: string): string;
  /** Returns that hash and those of earlier installation secrets, so that links survive a rotation. */
  signLinkAll(text: string): readonly string[];
  readonly engine: Engine;
  readonly outbox: Outbox;
  /** Checks whether there is space to store more. */
  readonly room: StorageRoom;
  /** Limits and orders the child processes that read uploads. */
  readonly line: FairTurnstile;
  readonly workbooks: WorkbookLimits;
}
