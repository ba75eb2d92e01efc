import type { SecretSettings } from '#engine/secret-ring.ts';
import type { SandboxMode } from '#fill/node/sandbox/current.ts';
import type { SealKeySettings } from '#fill/node/seal-key.ts';
import type { OutputKind } from '#fill/output-kind.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { MatchColumns } from '#lib/rows/labelled-rows.ts';
import type { CellValues } from '#lib/xlsx/cell-values.ts';

/** The command-line options; fill.ts describes each of them. */
export interface FillFlags {
  readonly pdf: string;
  readonly layout: string;
  readonly rows: string;
  readonly assets?: string;
  readonly output?: string;
  readonly merge?: string;
  readonly outputKind: OutputKind;
  readonly sheet?: Sheet;
  readonly duplex: boolean;
  readonly passwordColumn?: string;
  readonly verifyColumn?: string;
  readonly verifyAddress?: string;
  readonly signManifest: boolean;
  readonly preview?: number;
  readonly maxFailedRowPercent: number;
  readonly timestamp?: string;
  readonly flattenForms: boolean;
  readonly includeStickers: boolean;
  readonly keepActions: boolean;
  readonly filenameColumns: readonly string[];
  readonly groupBy: readonly string[];
  readonly csvHeader: boolean;
  readonly matchColumns: MatchColumns;
  readonly csvEncoding?: string;
  readonly cellValues: CellValues;
  readonly threads?: number;
  readonly cache?: string;
  readonly json: boolean;
}

/** Keys of the installation that a run uses. */
export interface FillKeys {
  /** Derives the random parts of encrypted rows. */
  readonly passwords?: string;
  /** Derives the ids of documents that can be verified. */
  readonly verifyIds?: string;
  /** Signs the manifest. */
  readonly seal?: Uint8Array;
}

export interface FillSettings extends SealKeySettings, SecretSettings {
  /** Maximum number of threads of a run. */
  readonly workers: number;
  readonly maxColumns: number;
  readonly keepPdfActions: boolean;
  readonly maxAssetsEntries: number;
  readonly maxAssetsEntryBytes: number;
  readonly maxAssetsBytes: number;
  readonly sandbox: SandboxMode;
  /** Seconds since 1970: the environment variable for reproducible builds. */
  readonly sourceDateEpoch: string | undefined;
}
