import type { Slice } from '#lib/records/slice.ts';
import type { CsvSource } from '../csv/store-csv.ts';
import type { RowPlan } from './row-plan.ts';

/** What an import job remembers: where its rows are and what is done with them. */
export interface ImportInput {
  readonly source: CsvSource;
  readonly plan: RowPlan;
  readonly tagIds: readonly string[];
  readonly newTagName?: string;
  readonly sequenceIds: readonly string[];
  /** Counts and failed rows as if it were real; nothing is written. */
  readonly dryRun: boolean;
  readonly uploadId?: string;
}

/**
 * The first pass reads all rows and finds the ones a later row supersedes, wherever it is; then the rows are
 * merged slice by slice. A file of one slice needs no pass of its own.
 */
export type ImportSlice =
  | { readonly part: 'first-pass' }
  | { readonly part: 'rows'; readonly alone: boolean; readonly at: Slice };

export interface ImportResult {
  /** CSV lines of the failed rows; absent when there are none. */
  readonly failed?: { readonly digest: string; readonly bytes: number };
}

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}
