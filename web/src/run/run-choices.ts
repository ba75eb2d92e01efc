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

export const DEFAULT_RUN: RunChoices = {
  flattenForms: false,
  includeStickers: false,
  filenameColumns: [],
  maxFailedRowPercent: 0,
  range: null,
  webhook: null,
};
