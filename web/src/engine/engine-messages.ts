import type { FillOptions } from '#fill/fill-options.ts';
import type { Layout, ValueSource } from '#fill/package/layout-schema.ts';
import type { Sheet } from '#fill/sheet/sheet.ts';
import type { RowRange, RowRanges } from '../core/runs/row-ranges.ts';
import type { RowsReading } from '../project/project.ts';

/**
 * The messages between page and worker. A call has a number; its response, its progress and its cancellation carry the
 * same one. The source and the assets are sent once and then referred to by number.
 */
export interface PlanMessage {
  readonly sourceId: number;
  readonly source?: Uint8Array;
  readonly assetsId: number;
  readonly assets?: ReadonlyMap<string, Uint8Array>;
  readonly picturesId: number;
  readonly pictures?: ReadonlyMap<string, Blob>;
  readonly layout: Layout;
  readonly options: FillOptions;
  readonly passwordColumn?: string | null | undefined;
  readonly onSheets?: boolean | undefined;
}

export type EngineCall =
  | { readonly name: 'openSource'; readonly bytes: Uint8Array }
  | { readonly name: 'openPackage'; readonly bytes: Uint8Array; readonly trustedKeys: readonly string[] }
  | {
      readonly name: 'openRows' | 'seeRows';
      /** Equal for equal content: the same file, read in the same way. */
      readonly content: string;
      readonly file: Blob;
      readonly fileName: string;
      readonly reading: RowsReading;
      /** The server's limit; undefined while it is unknown. */
      readonly maxColumns: number | undefined;
    }
  | { readonly name: 'closeRows' }
  | { readonly name: 'readRows'; readonly from: number; readonly count: number }
  | { readonly name: 'pickRows'; readonly rows: readonly number[] }
  | { readonly name: 'rowsToSend'; readonly rows: RowRanges; readonly numbered: boolean }
  | { readonly name: 'correctedCsv'; readonly file: Blob }
  | { readonly name: 'checkLayout'; readonly plan: PlanMessage }
  | { readonly name: 'previewRow'; readonly row: number; readonly plan: PlanMessage }
  | {
      readonly name: 'previewSheet';
      readonly rows: RowRange;
      readonly sheet: Sheet;
      readonly plan: PlanMessage;
    }
  | { readonly name: 'groupsOf'; readonly groupBy: readonly string[]; readonly rows: RowRanges }
  | { readonly name: 'longestValues'; readonly layout: Layout }
  | { readonly name: 'distinctValues'; readonly source: ValueSource }
  | {
      readonly name: 'pictureUse';
      readonly layout: Layout;
      readonly names: readonly string[];
      readonly assetNames: readonly string[];
    }
  | { readonly name: 'preflight'; readonly plan: PlanMessage }
  | { readonly name: 'checkRows'; readonly plan: PlanMessage; readonly rows: readonly number[] };

export type ToWorker =
  | { readonly id: number; readonly call: EngineCall }
  | { readonly id: number; readonly cancel: true };

export type FromWorker =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly fault: string }
  | { readonly id: number; readonly done: number; readonly total: number };
