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
  /** Address people reach this server by; without it links are made from the request. */
  readonly publicUrl: string | undefined;
  readonly basePath: string;
  readonly idempotencyWindowSeconds: number;
  readonly webhookAllow: HostAllowList;
  readonly maxCsvBytes: number;
  readonly maxCsvRows: number;
  readonly exportLinkSeconds: number;
}

/** What both the job kinds and the routes work with. */
export interface SubscribersKindParts {
  readonly db: Db;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secrets: SecretBox;
  readonly settings: SubscribersSettings;
  /** What requests hold in memory draws on it. */
  readonly budget: ByteBudget;
}

/** Routes also accept jobs and tell of single changes. */
export interface SubscribersParts extends SubscribersKindParts {
  /** With its temporary area, where uploads wait until they are read. */
  readonly blobs: Blobs & Pick<BlobKeeper, 'receive'>;
  /** A keyed hash of the text, as unguessable text for a URL. All nodes of an installation make the same. */
  signLink(text: string): string;
  /** That one, and those made with earlier installation secrets, so that links survive a rotation. */
  signLinkAll(text: string): readonly string[];
  readonly engine: Engine;
  readonly outbox: Outbox;
  /** Whether there is room to store more. */
  readonly room: StorageRoom;
  /** The line in front of the children that read uploads. */
  readonly line: FairTurnstile;
  readonly workbooks: WorkbookLimits;
}
