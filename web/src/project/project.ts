import type { TopLevelWarning } from '#fill/package/compare-source.ts';
import type { Layout, SourceMetadata } from '#fill/package/layout-schema.ts';
import type { DecimalSigns } from '#fill/values/decimal-signs.ts';
import type { CellValues } from '#lib/xlsx/cell-values.ts';
import type { ColumnFacts } from '../core/columns/column-facts.ts';
import type { ColumnOrder } from '../core/columns/column-order.ts';
import type { CellPatches } from '../core/rows/cell-patches.ts';

/**
 * A project: a source PDF, a layout over it, assets, and sample rows. The layout is the package's own layout
 * (src/fill/package/layout-schema.ts), with its defaults filled in; there is no second model.
 */
export interface Source {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly metadata: SourceMetadata;
  /** Displayed sizes in points, in page order. */
  readonly pages: readonly { readonly width: number; readonly height: number }[];
}

/** A rows file as the worker opened it. The cells stay in the worker; screens request the rows that they show. */
export interface RowsInfo {
  readonly fileName: string;
  readonly kind: 'csv' | 'xlsx';
  /** The format of a copy of the rows for the server: only a workbook can hold cells with errors. */
  readonly sentAs: 'csv' | 'xlsx';
  readonly rowCount: number;
  readonly columnCount: number;
  /** The cells of the first line if it is a header, in the order of use. They only provide labels. */
  readonly header: readonly string[] | null;
  readonly delimiter: string | null;
  readonly encoding: string | null;
  /** The number format of columns that do not use a decimal point; detected from all rows. */
  readonly decimalSigns: DecimalSigns;
  /** How the values of each column are written; counted in all rows. */
  readonly columnFacts: readonly ColumnFacts[];
}

/** How to read the rows file; null means detected from the file. */
export interface RowsReading {
  readonly delimiter: string | null;
  readonly encoding: string | null;
  readonly header: boolean;
  /** Whether workbook cells are read as displayed or as plain values; displayed if absent. */
  readonly cells?: CellValues;
  /** The order that the user confirmed for the file's columns; null means by position. Older drafts have none. */
  readonly columns?: ColumnOrder | null;
  /** The file was stored with the project before its columns were bound, so equal positions prove nothing. */
  readonly unbound?: true;
  /** Corrections of single cells. Older drafts have none. */
  readonly patches?: CellPatches | null;
}

/** A new file is read with detected options, not with those of the previous file. */
export const freshReading = ({ header }: RowsReading): RowsReading => ({
  delimiter: null,
  encoding: null,
  header,
  columns: null,
});

/** The rows of a project at one time: the file, how it is read, and its facts. */
export interface RowsState {
  readonly rows: RowsInfo | null;
  readonly reading: RowsReading;
  readonly file: RowsFile | null;
}

export interface RowsFile {
  readonly fileName: string;
  readonly file: Blob;
}

/** The version of a project on the server that the work is based on. */
export interface LibraryLink {
  readonly account: string;
  readonly version: number;
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
