import type { Layout } from '#fill/package/layout-schema.ts';
import type { CheckReport } from '../core/check/check-report.ts';
import { countRows, includesRow, type RowRanges } from '../core/runs/row-ranges.ts';
import { type UnfilledFields, unfilledFields } from '../core/runs/unfilled-fields.ts';
import { isUnmapped } from '../data/match-columns.ts';
import { checkAllRows, stopCheck, usePreview } from '../preview/preview-store.ts';
import type { RunOrder } from './run-store.ts';
import { isUngrouped } from './ungrouped.ts';

/** What the check of the rows found before a run. */
export interface FoundProblems {
  /** Rows of the run. */
  readonly total: number;
  /** Documents of the run: its rows, or its groups. */
  readonly documents: number;
  /** Rows of the run with problems, by their number in the file. */
  readonly rows: readonly number[];
  /** How many of them would have no document; of very many, those that the report lists. */
  readonly failing: number;
  /** Why the rows could not be checked. */
  readonly unchecked: string | null;
  readonly unfilled: UnfilledFields | null;
  /** A table would show one row in each document. */
  readonly ungrouped: boolean;
}

export { stopCheck };

/** The progress of the check; null while none runs. */
export const useCheckProgress = () => usePreview((preview) => preview.progress);

/** The layout whose unfilled fields and tables the user has accepted. */
let accepted: Layout | null = null;

/** Does not ask again about fields without a value, and about tables without groups, until the layout changes. */
export function acceptUnfilled(layout: Layout): void {
  accepted = layout;
}

/**
 * Checks all rows of the file and returns what it found in the fields and in the rows of the run; null if it found nothing or
 * was stopped.
 */
export async function checkRows(
  layout: Layout,
  { rows, documents, choices }: Pick<RunOrder, 'rows' | 'documents' | 'choices'>,
): Promise<FoundProblems | null> {
  const report = await checkAllRows();
  const { refused } = usePreview.getState();
  if (report === null && refused === null) return null;
  const total = countRows(rows);
  const unfilled = layout === accepted ? null : unfilledFields(layout, isUnmapped, total);
  const ungrouped = layout !== accepted && total > 1 && isUngrouped(layout, choices);
  const { found, failing } = report === null ? { found: [], failing: 0 } : problemsIn(report, rows);
  const unchecked = report === null ? (refused?.message ?? null) : null;
  if (found.length === 0 && unchecked === null && unfilled === null && !ungrouped) return null;
  return { total, documents, rows: found, failing, unchecked, unfilled, ungrouped };
}

function problemsIn({ problemRows, listed }: CheckReport, rows: RowRanges) {
  const found = problemRows.filter((row) => includesRow(rows, row));
  const failing = listed.filter(({ status, row }) => status === 'failed' && includesRow(rows, row)).length;
  return { found, failing };
}
