import type { Plan } from '#config/plans.ts';
import type { BlobKeeper } from '#engine/blob-keeper.ts';
import type { CooldownSettings } from '#engine/limits/cooldowns.ts';
import type { StorageRoom } from '#engine/limits/storage-room.ts';
import type { ResolveHost } from '#engine/webhooks/resolve-host.ts';
import type { SecretBox } from '#engine/webhooks/webhook-parts.ts';
import type { WorkbookLimits } from '#fill/node/xlsx/workbook-limits.ts';
import type { FairTurnstile } from '#lib/fair-turnstile.ts';
import type { HostAllowList } from '#lib/host-allow-list.ts';
import type { BulkfillParts } from '../parts.ts';
import type { RowReaders } from '../threads/row-readers.ts';
import type { KeyedHashes } from './effective-body.ts';
import type { InputJudge } from './judge-inputs.ts';
import type { RowSources } from './row-sources.ts';

export interface CreateParts extends BulkfillParts {
  readonly blobs: BlobKeeper;
  readonly judge: InputJudge;
  readonly rowSources: RowSources;
  readonly rowReaders: RowReaders;
  /** Queue for the child processes that read uploads and draw pages. */
  readonly line: FairTurnstile;
  /** Counts a rejection as a failed job if a reader had to be stopped. */
  readonly noteCostly: (accountId: string, kind?: string) => Promise<void>;
  readonly secrets: SecretBox;
  readonly keyedHashes: KeyedHashes;
  readonly resolve: ResolveHost;
  readonly allow: HostAllowList;
  /** Checks that the storage has free space. */
  readonly room: StorageRoom;
  readonly settings: CreateSettings;
}

/** The limits of the contract, from the configuration. */
export interface CreateSettings {
  readonly cooldowns: CooldownSettings;
  readonly syncWaitMs: number;
  readonly idempotencyWindowSeconds: number;
  readonly maxPdfBytes: number;
  readonly maxPackageBytes: number;
  readonly maxRowsBytes: number;
  readonly workbooks: WorkbookLimits;
  readonly maxAssetsEntries: number;
  readonly maxAssetsEntryBytes: number;
  readonly maxAssetsBytes: number;
  readonly maxRows: number;
  readonly maxColumns: number;
  readonly maxCellChars: number;
  readonly keepPdfActions: boolean;
  /** Whether documents can be verified at `publicUrl`, which is then set. */
  readonly verify: boolean;
  readonly publicUrl: string | undefined;
  readonly maxOutputBytes: number;
  readonly plans: ReadonlyMap<string, Plan>;
}
