import type { TopLevelWarning } from '../../../src/fill/package/compare-source.ts';
import type { Layout, SourceMetadata } from '../../../src/fill/package/layout-schema.ts';
import type { DecimalSigns } from '../../../src/fill/rows/decimal-signs.ts';
import type { CellValues } from '../../../src/lib/xlsx/cell-values.ts';

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

/** A rows file as the worker opened it. The cells themselves stay in the worker; screens ask for the rows they show. */
export interface RowsInfo {
  readonly fileName: string;
  readonly kind: 'csv' | 'xlsx';
  readonly rowCount: number;
  readonly columnCount: number;
  /** The first line's cells when it is a header, which gives labels and nothing else. */
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
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly source: Source;
  readonly layout: Layout;
  readonly assets: ReadonlyMap<string, Uint8Array>;
  /** How the PDF differs from the one the opened package was made for. */
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
