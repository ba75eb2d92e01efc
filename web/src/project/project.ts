import type { TopLevelWarning } from '#fill/package/compare-source.ts';
import type { Layout, SourceMetadata } from '#fill/package/layout-schema.ts';
import type { DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { CellValues } from '#lib/xlsx/cell-values.ts';
import type { ColumnOrder } from '../core/columns/column-order.ts';

/**
 * What a person works on: a source PDF, a layout over it, assets, and rows to try it with. The layout is the
 * package's own layout (src/fill/package/layout-schema.ts), with its defaults filled in; there is no second model.
 */
export interface Source {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly metadata: SourceMetadata;
  /** As displayed, in points, in page order. */
  readonly pages: readonly { readonly width: number; readonly height: number }[];
}

/** A rows file as the worker opened it. The cells stay in the worker; screens request the rows that they show. */
export interface RowsInfo {
  readonly fileName: string;
  readonly kind: 'csv' | 'xlsx';
  /** What a copy of the rows for the server is: only a workbook can hold cells with errors. */
  readonly sentAs: 'csv' | 'xlsx';
  readonly rowCount: number;
  readonly columnCount: number;
  /** The first line's cells when it is a header, in the order the columns are used in. It gives labels and nothing else. */
  readonly header: readonly string[] | null;
  readonly delimiter: string | null;
  readonly encoding: string | null;
  /** How columns write their numbers, where it is not with a decimal point; found in all rows. */
  readonly decimalSigns: DecimalSigns;
}

/** How the rows file is to be read; null means found out from the file. */
export interface RowsReading {
  readonly delimiter: string | null;
  readonly encoding: string | null;
  readonly header: boolean;
  /** Cells of a workbook as it shows them, or their plain values; absent means shown. */
  readonly cells?: CellValues;
  /** The order that a person confirmed for the file's columns; null means by position. Drafts of before have none. */
  readonly columns?: ColumnOrder | null;
}

/** A new file is read by its own signs, not by those of the one before. */
export const freshReading = ({ header }: RowsReading): RowsReading => ({
  delimiter: null,
  encoding: null,
  header,
  columns: null,
});

/** The rows of a project at one time: the file, how it is read, and what was found in it. */
export interface RowsState {
  readonly rows: RowsInfo | null;
  readonly reading: RowsReading;
  readonly file: RowsFile | null;
}

export interface RowsFile {
  readonly fileName: string;
  readonly file: Blob;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** How the PDF differs from the one that the opened package was created for. */
  readonly differences: readonly TopLevelWarning[];
}

export const emptyLayout = (name: string): Layout => ({
  format: 'rowpress.layout',
  version: 1,
  name,
  columns: [],
  fonts: [],
  overlays: [],
  form_fields: [],
});
