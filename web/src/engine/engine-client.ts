import type { FillOptions } from '#fill/fill-options.ts';
import type { Layout, SourceMetadata } from '#fill/package/layout-schema.ts';
import type { OpenedPackage } from '#fill/package/open-package.ts';
import type { RowResult } from '#fill/results/manifest.ts';
import type { RowsInfo, RowsReading, Source } from '../project/project.ts';
import { EngineHost } from './engine-host.ts';
import type { EncodingEvidence } from './rows/encoding-evidence.ts';

/** Input that the engine rejects, with the codes and messages of the server. */
export interface EngineRefusal {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
  /** Set if a CSV file is not in the assumed encoding, so that the user can choose another one. */
  readonly encoding?: EncodingEvidence;
}

/** A rows file that was read but not opened: its column order, and its first row as a sample. */
export interface SeenRows {
  readonly ok: true;
  readonly rows: RowsInfo;
  readonly firstRow: readonly string[];
}

export interface OpenedSource {
  readonly ok: true;
  readonly metadata: SourceMetadata;
  readonly pages: Source['pages'];
  /** Names of the fonts on its pages; fonts that are not embedded may look different elsewhere. */
  readonly fonts: readonly { readonly name: string; readonly embedded: boolean }[];
}

/** The input of a preview: the current layout and the opened source. */
export interface PreviewPlan {
  readonly source: Uint8Array;
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  readonly options: FillOptions;
}

export interface PreviewedRow {
  readonly ok: true;
  readonly result: RowResult;
  /** The row's complete PDF as the server would create it; null if the row failed. */
  readonly pdf: Uint8Array | null;
}

/** A problem of the layout that blocks saving. */
export interface LayoutProblem {
  /** The overlay or form field it is about. */
  readonly id: string | null;
  readonly message: string;
}

export interface RowProblem {
  readonly row: number;
  readonly status: RowResult['status'];
  readonly id: string | null;
  readonly code: string;
  readonly message: string;
}

export interface ProblemCount {
  readonly id: string | null;
  readonly code: string;
  readonly rows: number;
  readonly firstRow: number;
  /** Font packages whose installation would help. */
  readonly fontPackages: readonly string[];
}

export interface PreflightReport {
  readonly rows: number;
  readonly failedRows: number;
  readonly problemRows: readonly number[];
  readonly counts: readonly ProblemCount[];
  /** The first problems, for the list. `counts` covers all of them. */
  readonly problems: readonly RowProblem[];
}

/** The row whose value is longest, for each overlay or form field. */
export interface LongestValue {
  readonly id: string;
  readonly row: number;
  readonly characters: number;
}

export type Progress = (done: number, total: number) => void;

export interface EngineCalls {
  openSource(bytes: Uint8Array): Promise<OpenedSource | EngineRefusal>;
  openPackage(
    bytes: Uint8Array,
    trustedKeys: readonly string[],
  ): Promise<{ readonly ok: true; readonly package: OpenedPackage } | EngineRefusal>;
  openRows(
    file: Blob,
    fileName: string,
    reading: RowsReading,
  ): Promise<{ readonly ok: true; readonly rows: RowsInfo } | EngineRefusal>;
  /** Reads a file without opening it, so that the open rows stay. Opening it later does not read it again. */
  seeRows(file: Blob, fileName: string, reading: RowsReading): Promise<SeenRows | EngineRefusal>;
  closeRows(): Promise<void>;
  /** Rows as arrays of cells, positional; `from` counts from 1. */
  readRows(from: number, count: number): Promise<readonly (readonly string[])[]>;
  /**
   * Returns the rows from..to as an unambiguous CSV: every cell quoted, UTF-8. Returns a workbook (by its type) if a cell
   * holds an error, which CSV cannot represent. Includes the digest of its bytes.
   */
  rowsToSend(from: number, to: number): Promise<{ readonly file: Blob; readonly sha256: string }>;
  checkLayout(plan: PreviewPlan): Promise<readonly LayoutProblem[]>;
  previewRow(row: number, plan: PreviewPlan): Promise<PreviewedRow | EngineRefusal>;
  longestValues(layout: Layout): Promise<readonly LongestValue[]>;
  preflight(
    plan: PreviewPlan,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<PreflightReport | EngineRefusal>;
}

export const engine: EngineCalls = new EngineHost();
