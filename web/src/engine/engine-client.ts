import type { FillOptions } from '#fill/fill-options.ts';
import type { Layout, SourceMetadata, ValueSource } from '#fill/package/layout-schema.ts';
import type { OpenedPackage } from '#fill/package/open-package.ts';
import type { RowResult } from '#fill/results/manifest.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { CheckedRow, CheckReport } from '../core/check/check-report.ts';
import type { CellPatch } from '../core/rows/cell-patches.ts';
import type { RowRange, RowRanges } from '../core/runs/row-ranges.ts';
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

/** An open rows file, and the corrections that do not fit it and are not applied. */
export interface OpenedRowsFile {
  readonly ok: true;
  readonly rows: RowsInfo;
  readonly unfitting: readonly CellPatch[];
}

/** A rows file that was read but not opened: its facts, and sample values of each column. */
export interface SeenRows {
  readonly ok: true;
  readonly rows: RowsInfo;
  readonly samples: readonly (readonly string[])[];
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
  /** The pictures of the rows, by base name. */
  readonly pictures?: ReadonlyMap<string, Blob> | undefined;
  readonly options: FillOptions;
  /** Key of the column with the passwords. The check fails rows without a usable one; previews are not encrypted. */
  readonly passwordColumn?: string | null | undefined;
  /** Whether the run prints sheets of labels, which fail a document whose table continues on another page. */
  readonly onSheets?: boolean | undefined;
}

export interface PictureUse {
  /** Pictures that at least one row names. */
  readonly used: number;
  /** The first names that no picture has. */
  readonly missing: readonly { readonly name: string; readonly rows: number; readonly firstRow: number }[];
  readonly missingCount: number;
}

export interface PreviewedRow {
  readonly ok: true;
  readonly result: RowResult;
  /** The group of the row, if rows are grouped; the document shows all of its rows. */
  readonly group?: PreviewedGroup | undefined;
  /** The complete PDF of the row or its group as the server would create it; null if it failed. */
  readonly pdf: Uint8Array | null;
}

export interface PreviewedGroup {
  readonly number: number;
  /** Number of groups. */
  readonly count: number;
  /** Its rows, by their numbers in the file. */
  readonly rows: readonly number[];
  /** First rows of the groups before and after it. */
  readonly previous: number | null;
  readonly next: number | null;
}

export interface PreviewedSheet {
  readonly ok: true;
  /** A PDF whose first page is the sheet; null if no row has a document. */
  readonly pdf: Uint8Array | null;
  /** Labels that show a row. */
  readonly labels: number;
}

/** A problem of the layout that blocks saving. */
export interface LayoutProblem {
  /** The overlay or form field it is about. */
  readonly id: string | null;
  readonly message: string;
}

/** The row whose value is longest, for each overlay or form field. */
export interface LongestValue {
  readonly id: string;
  readonly row: number;
  readonly characters: number;
}

export interface DistinctValues {
  readonly values: readonly string[];
  /** Whether there are more values than these. */
  readonly isMore: boolean;
}

export type Progress = (done: number, total: number) => void;

export interface EngineCalls {
  openSource(bytes: Uint8Array): Promise<OpenedSource | EngineRefusal>;
  openPackage(
    bytes: Uint8Array,
    trustedKeys: readonly string[],
  ): Promise<{ readonly ok: true; readonly package: OpenedPackage } | EngineRefusal>;
  openRows(file: Blob, fileName: string, reading: RowsReading): Promise<OpenedRowsFile | EngineRefusal>;
  /** Reads a file without opening it, so that the open rows stay. Opening it later does not read it again. */
  seeRows(file: Blob, fileName: string, reading: RowsReading): Promise<SeenRows | EngineRefusal>;
  closeRows(): Promise<void>;
  /** Rows as arrays of cells, positional; `from` counts from 1. */
  readRows(from: number, count: number): Promise<readonly (readonly string[])[]>;
  /** The cells of any rows, in the order of `rows`; no cells for a row that the file does not have. */
  pickRows(rows: readonly number[]): Promise<readonly (readonly string[])[]>;
  /**
   * Returns these rows as an unambiguous CSV: every cell quoted, UTF-8. Returns a workbook (by its type) if a cell
   * holds an error, which CSV cannot represent. Includes the digest of its bytes. If `numbered`, every row has one more
   * cell after the last column: `file-row-7`, its number in the file.
   */
  rowsToSend(rows: RowRanges, numbered?: boolean): Promise<{ readonly file: Blob; readonly sha256: string }>;
  /**
   * Returns the whole file as CSV with the corrections: its own column order and header, its delimiter, UTF-8, with a byte
   * order mark if the file has one or is a workbook.
   */
  correctedCsv(): Promise<Blob>;
  checkLayout(plan: PreviewPlan): Promise<readonly LayoutProblem[]>;
  previewRow(row: number, plan: PreviewPlan): Promise<PreviewedRow | EngineRefusal>;
  /** The first sheet of labels with these rows. */
  previewSheet(rows: RowRange, sheet: Sheet, plan: PreviewPlan): Promise<PreviewedSheet | EngineRefusal>;
  /** The rows of the file that share a group with one of these rows, and in how many groups they are. */
  groupsOf(
    groupBy: readonly string[],
    rows: RowRanges,
  ): Promise<{ readonly ok: true; readonly count: number; readonly rows: RowRanges } | EngineRefusal>;
  longestValues(layout: Layout): Promise<readonly LongestValue[]>;
  /** Compares the names of pictures with the values of picture fields in all rows. */
  pictureUse(layout: Layout, names: readonly string[], assetNames: readonly string[]): Promise<PictureUse>;
  /** The values of a source in the rows, without blanks, in the order of their first row; cut after the first few dozen. */
  distinctValues(source: ValueSource): Promise<DistinctValues>;
  preflight(
    plan: PreviewPlan,
    onProgress: Progress,
    signal: AbortSignal,
  ): Promise<CheckReport | EngineRefusal>;
  /** Checks only these rows. */
  checkRows(plan: PreviewPlan, rows: readonly number[]): Promise<readonly CheckedRow[] | EngineRefusal>;
}

export const engine: EngineCalls = new EngineHost();
