import type { OutputKind } from './output-kind.ts';
import type { Sheet } from './sheet/sheet.ts';
import type { DecimalSigns } from './values/decimal-signs.ts';

/** The purpose for which the installation secret derives the key of row passwords. */
export const ROW_PASSWORDS = 'row-passwords';

/** The purpose for which the installation secret derives the key of verification ids. */
export const VERIFY_IDS = 'verify-ids';

export interface VerifyOptions {
  /** Key of the column that receives the address of each document. */
  readonly column: string;
  /** The public address of the installation, without a slash at the end. */
  readonly address: string;
  /** 32 bytes in hex, derived from the installation secret: nobody without it can compute an id. */
  readonly key: string;
  /** Digest of the files and options of the run (native-verify-ids.ts). */
  readonly work: string;
}

export interface RowPasswords {
  /** Key of the column that holds each row's password. */
  readonly column: string;
  /** 32 bytes in hex, derived from the installation secret: everything random in the encrypted files comes from it. */
  readonly key: string;
}

/** Options of a run. Every member is part of the work's identity. */
export interface FillOptions {
  readonly includeStickers: boolean;
  readonly flattenForms: boolean;
  /** Keeps the source's actions that access other files and servers (FILL191). It is part of the engine's name. */
  readonly keepActions?: boolean | undefined;
  /** Absent: `zip`. A merged PDF needs a base with `flattenForms`. */
  readonly output?: OutputKind | undefined;
  /** The merged PDF consists of sheets with the first page of each row. */
  readonly sheet?: Sheet | undefined;
  /** In the merged PDF, a document with an odd number of pages is followed by a blank page. Not with `sheet`. */
  readonly duplex?: boolean | undefined;
  /** Row keys whose values are appended to each file name, at most 3. */
  readonly filenameColumns: readonly string[];
  /** Keys of the columns whose values make rows one document. Absent: every row is a document. */
  readonly groupBy?: readonly string[] | undefined;
  /** Encrypts each row's PDF. Absent: the PDFs are not encrypted. Not with a merged PDF. */
  readonly password?: RowPasswords | undefined;
  /** Writes the address at which a document can be verified into a column. Absent: the column is input like any other. */
  readonly verify?: VerifyOptions | undefined;
  /** Determined from all rows before the first is filled (values/decimal-signs.ts). Absent if every column uses a point. */
  readonly decimalSigns?: DecimalSigns | undefined;
}
