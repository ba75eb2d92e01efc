import type { OutputKind } from '#fill/output-kind.ts';
import type { TopLevelWarning } from '#fill/package/compare-source.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { Slice } from '#lib/records/slice.ts';
import type { ColumnInput } from '#lib/rows/labelled-rows.ts';

/** The stored input of a job: digests and options, never the value of a row or a secret in plain text. */
export interface ExportInput {
  readonly engine: string;
  readonly pdf: string;
  readonly package: string;
  /** The name of the project or in the package, for the name of the ZIP. Absent if there is none, and in older jobs. */
  readonly name?: string;
  readonly base: string;
  /** The project that the request named, and whether it named the version. Absent if the files were uploaded. */
  readonly project?: { readonly id: string; readonly version: number; readonly pinned: boolean };
  /** The ZIP of the request's pictures, and the position of each picture in it (JSON: ZipAsset[]). */
  readonly assets?: { readonly zip: string; readonly index: string };
  /** `count` is the number of documents. `inputCount` is the number of rows, if they are grouped. */
  readonly rows: {
    readonly blob: string;
    readonly count: number;
    readonly slices: readonly Slice[];
    readonly inputCount?: number;
  };
  /** Only in a retry: blob with the row numbers in the original job, as a JSON array. */
  readonly sourceRows?: string;
  /** The uploads as they were sent; absent in jobs of earlier versions. */
  readonly files?: UploadedFiles;
  readonly pageCount: number;
  readonly warnings: readonly TopLevelWarning[];
  readonly options: ExportOptions;
  /** Detected in the rows of the first job; absent if every number column uses a point. */
  readonly decimalSigns?: DecimalSigns;
  /** The input of each column, if columns were matched by label. */
  readonly columns?: readonly ColumnInput[];
  /** The public address of the installation when the job was accepted. Only with `verify_column`. */
  readonly verifyAddress?: string;
  readonly delivery:
    | { readonly mode: 'response' }
    | { readonly mode: 'webhook'; readonly url: string; readonly secrets: string };
}

/** Name and size of one upload, for the job's page. The name is the client's and is never used as a path. */
export interface UploadedFile {
  readonly name: string | null;
  readonly bytes: number;
}

export interface UploadedFiles {
  readonly pdf: UploadedFile;
  readonly package: UploadedFile;
  /** Absent if the rows are those of another surface. */
  readonly rows?: UploadedFile;
  readonly assets?: UploadedFile;
}

/** The blobs that a job needs until it has settled, and that its retries need later. */
export function inputBlobs({ base, package: sealed, rows, assets, sourceRows }: ExportInput): string[] {
  return [
    base,
    sealed,
    rows.blob,
    ...(assets === undefined ? [] : [assets.zip, assets.index]),
    ...(sourceRows === undefined ? [] : [sourceRows]),
  ];
}

/** All options with defaults filled in, as they enter the identity of the work. */
export interface ExportOptions {
  readonly max_failed_row_percent: number;
  readonly include_stickers: boolean;
  readonly flatten_forms: boolean;
  readonly filename_columns: readonly string[];
  readonly dry_run: boolean;
  /** Keys or labels of the columns whose values make rows one document. */
  readonly group_by?: readonly string[];
  /** Absent: `zip`, as in jobs before the option existed. */
  readonly output?: Exclude<OutputKind, 'zip'>;
  /** With all defaults filled in, and a preset as its geometry. */
  readonly sheet?: Sheet;
  /** Documents with an odd number of pages are followed by a blank page in the merged PDF. */
  readonly duplex?: true;
  /** Key or label of the column whose values encrypt the PDFs of the rows. */
  readonly password_column?: string;
  /** Key or label of the column that receives the address at which each document can be verified. */
  readonly verify_column?: string;
  /** The ZIP has a signature of its manifest. */
  readonly sign_manifest?: true;
}

/** One finished slice: tails and records in one blob, records after the tails. */
export interface SliceResult {
  readonly blob: string;
  readonly tailsLength: number;
  readonly length: number;
  /** Numbers of the failed rows, ascending. */
  readonly failed: readonly number[];
}

/** The blobs and numbers that an artifact is assembled from. */
export interface ArtifactParts {
  readonly base: string;
  readonly slices: readonly { readonly blob: string; readonly tailsLength: number }[];
  /** JSON: ZipRow[] in row order, with their row numbers. */
  readonly index: string;
  readonly manifest: { readonly blob: string; readonly plainLength: number; readonly crc32: number };
  /** The whole ZIP in the object store and the ETag that the store sends. Absent if the server sends the ZIP. */
  readonly object?: { readonly name: string; readonly etag: string };
  readonly merged?: MergedParts;
  /** The PDFs of the rows are encrypted: each is whole, and none begins with the base. */
  readonly encrypted?: true;
  /** The text of `manifest.sig`. Absent if the manifest is not signed. */
  readonly signature?: string;
}

/** The PDF of all rows: the base, the fragments in the slices' blobs, and a stored ending. */
export interface MergedParts {
  /** JSON: MergedIndex. */
  readonly index: string;
  readonly ending: string;
  readonly sizeBytes: number;
  readonly crc32: number;
  readonly sha256: string;
}

export const EXPORT_KIND = 'bulkfill.export';
