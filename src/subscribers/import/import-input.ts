import type { Slice } from '#lib/records/slice.ts';
import type { CsvSource } from '../csv/store-csv.ts';
import type { RowPlan } from './row-plan.ts';

/** The input of an import job: the position of its rows and the options of the import. */
export interface ImportInput {
  readonly source: CsvSource;
  readonly plan: RowPlan;
  readonly tagIds: readonly string[];
  readonly newTagName?: string;
  readonly sequenceIds: readonly string[];
  /** Counts rows and reports failed ones like a real import, but writes nothing. */
  readonly dryRun: boolean;
  readonly uploadId?: string;
}

/**
 * The first pass reads all rows and finds those that a later row supersedes. Then the rows are merged slice by slice. A
 * file of one slice needs no separate pass.
 */
export type ImportSlice =
  | { readonly part: 'first-pass' }
  | { readonly part: 'rows'; readonly alone: boolean; readonly at: Slice };

export interface ImportResult {
  /** CSV lines of the failed rows; absent if there are none. */
  readonly failed?: { readonly digest: string; readonly bytes: number };
}

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}
