import type { DecimalSigns } from './values/decimal-signs.ts';

/** What a caller may choose for a run; every member takes part in the identity of the work. */
export interface FillOptions {
  readonly includeStickers: boolean;
  readonly flattenForms: boolean;
  /** Keeps the source's actions that reach other files and servers (FILL191); it is part of the engine's name. */
  readonly keepActions?: boolean | undefined;
  /** Row keys whose values are appended to each file name, at most 3. */
  readonly filenameColumns: readonly string[];
  /** Found in the rows before the first is filled (decimal-signs.ts); left out when every column writes a point. */
  readonly decimalSigns?: DecimalSigns | undefined;
}
