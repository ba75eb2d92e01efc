/** The options of a run, stored with the draft. The first two also affect the preview. */
export interface RunChoices {
  readonly flattenForms: boolean;
  readonly includeStickers: boolean;
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
  filenameColumns: [],
  maxFailedRowPercent: SKIP_FAILED,
  range: null,
  webhook: null,
};

/** What happens when a row fails, in words. */
export function failureWords(maxFailedRowPercent: number): string {
  if (maxFailedRowPercent >= SKIP_FAILED) return 'Skip failed rows';
  if (maxFailedRowPercent <= STOP_AT_FIRST) return 'Stop at the first failed row';
  return `Stop above ${maxFailedRowPercent} % failed rows`;
}
