import type { OutputKind } from '#fill/output-kind.ts';
import type { SheetChoice } from '../core/runs/sheet-choice.ts';

/** The options of a run, stored with the draft. The first two and the output also affect the preview. */
export interface RunChoices {
  readonly flattenForms: boolean;
  readonly includeStickers: boolean;
  readonly output: OutputKind;
  /** Labels of the merged PDF; null places whole pages. Only used if there is a merged PDF. */
  readonly sheet: SheetChoice | null;
  /** Whether a blank page follows each document with an odd number of pages. Only used if whole pages are merged. */
  readonly duplex: boolean;
  /** Keys of the columns whose equal values make rows one document, at most 3; none if every row is a document. */
  readonly groupBy: readonly string[];
  /** Key of the column with the password of each document. */
  readonly passwordColumn: string | null;
  /** Column keys, at most 3. */
  readonly filenameColumns: readonly string[];
  readonly maxFailedRowPercent: number;
  /** Both from 1, inclusive; null means all rows. */
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly webhook: { readonly url: string; readonly secret: string } | null;
}

/** Columns that a file name can have. */
export const MAX_NAME_COLUMNS = 3;

/** `max_failed_row_percent` that no number of failed rows exceeds: failed rows are skipped. */
export const SKIP_FAILED = 100;
/** `max_failed_row_percent` that the first failed row exceeds. */
export const STOP_AT_FIRST = 0;

/** Failed rows are skipped: every run is checked first, and failed rows can be retried on their own. */
export const DEFAULT_RUN: RunChoices = {
  flattenForms: false,
  includeStickers: false,
  output: 'zip',
  sheet: null,
  duplex: false,
  groupBy: [],
  passwordColumn: null,
  filenameColumns: [],
  maxFailedRowPercent: SKIP_FAILED,
  range: null,
  webhook: null,
};

/** What happens when a row or a group fails, in words. */
export function failureWords(maxFailedRowPercent: number, unit = 'row'): string {
  if (maxFailedRowPercent >= SKIP_FAILED) return `Skip failed ${unit}s`;
  if (maxFailedRowPercent <= STOP_AT_FIRST) return `Stop at the first failed ${unit}`;
  return `Stop above ${maxFailedRowPercent} % failed ${unit}s`;
}

/** Whether form fields become page content. A merged PDF requires it: the fields of many rows cannot share one document. */
export const flattens = ({ flattenForms, output }: Pick<RunChoices, 'flattenForms' | 'output'>): boolean =>
  flattenForms || output !== 'zip';

/** The sheet of the run; null if it has none. */
export const sheetOf = ({ output, sheet }: Pick<RunChoices, 'output' | 'sheet'>): SheetChoice | null =>
  output === 'zip' ? null : sheet;

/** Whether the run adds blank pages: rows on labels have no back of their own. */
export const isDuplex = ({
  output,
  sheet,
  duplex,
}: Pick<RunChoices, 'output' | 'sheet' | 'duplex'>): boolean => duplex && output !== 'zip' && sheet === null;

/** What a document is made from. */
export const unitOf = ({ groupBy }: Pick<RunChoices, 'groupBy'>): 'row' | 'group' =>
  groupBy.length > 0 ? 'group' : 'row';

/** The rows of a run. Groups are made from all rows, because a range could split one. */
export const rangeOf = (
  { groupBy, range }: Pick<RunChoices, 'groupBy' | 'range'>,
  rowCount: number,
): { readonly from: number; readonly to: number } =>
  groupBy.length > 0 || range === null ? { from: 1, to: rowCount } : range;

/** Why the group columns cannot be used. */
export const groupProblem = (
  { groupBy }: Pick<RunChoices, 'groupBy'>,
  columns: readonly { readonly key: string }[],
): string | null =>
  groupBy.every((wanted) => columns.some(({ key }) => key === wanted))
    ? null
    : 'The project no longer has this column. Choose another one.';

/** Why the password column cannot be used. */
export function passwordProblem(
  { passwordColumn, output, filenameColumns, groupBy }: RunChoices,
  columns: readonly { readonly key: string }[],
): string | null {
  if (passwordColumn === null) return null;
  const unit = unitOf({ groupBy });
  if (output !== 'zip')
    return `One PDF of all ${unit}s cannot have a password per ${unit}. Choose “One PDF per ${unit}”, or no password.`;
  if (!columns.some(({ key }) => key === passwordColumn))
    return 'The project no longer has this column. Choose another one.';
  if (filenameColumns.includes(passwordColumn))
    return 'This column is also in the file names, which are not encrypted. Choose another one.';
  return null;
}
