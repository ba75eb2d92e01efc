import type { Blobs } from '../../engine/blobs.ts';
import type { RowRecord } from '../../fill/fill-row.ts';
import type { Db } from '../../storage/database.ts';
import type { JobRecord } from '../../storage/jobs/find-job.ts';
import { listSliceResults } from '../../storage/jobs/list-slice-results.ts';
import type { SliceResult } from '../export-input.ts';
import type { RowSlice } from '../rows/normalise-rows.ts';

/** One thing that went wrong with one row; a row may have several. */
export interface RowProblem {
  readonly row_number: number;
  readonly status: 'failed' | 'partial' | 'success';
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export interface ProblemPage {
  /** The last row of the page before. */
  readonly afterRow: number;
  readonly limit: number;
}

/**
 * Rows that failed or came with warnings, in row order, read from the records of the slices that are done: also while the
 * job runs, and also when it failed. The problems of one row stay on one page.
 */
export async function listProblemRows(
  { db, blobs }: { readonly db: Db; readonly blobs: Blobs },
  job: Pick<JobRecord, 'id' | 'reused_from' | 'outcome'>,
  { afterRow, limit }: ProblemPage,
): Promise<{ readonly problems: readonly RowProblem[]; readonly nextAfter: number | undefined }> {
  const problems: RowProblem[] = [];
  // Of a job whose rows drew everything only slices with failed rows are worth reading.
  const clean = (job.outcome as { summary?: { partial_rows?: number } } | null)?.summary?.partial_rows === 0;
  for (const slice of await listSliceResults(db, job.reused_from ?? job.id)) {
    const { firstRow, rows } = slice.input as RowSlice;
    const result = slice.result as SliceResult | null;
    if (result === null || firstRow + rows - 1 <= afterRow || (clean && slice.rows_failed === 0)) continue;
    const bytes = await blobs.readAll(result.blob, { start: result.tailsLength, end: result.length });
    for (const { result: row } of JSON.parse(bytes.toString()) as RowRecord[]) {
      if (row.row_number <= afterRow) continue;
      const found = problemsOf(row);
      if (found.length > 0 && problems.length >= limit)
        return { problems, nextAfter: problems.at(-1)?.row_number };
      problems.push(...found);
    }
  }
  return { problems, nextAfter: undefined };
}

function problemsOf({ row_number, status, error, warnings }: RowRecord['result']): RowProblem[] {
  const failure = error === null ? [] : [{ ...error, field: null }];
  const notes = warnings.map(({ code, message, overlay_id }) => ({ code, message, field: overlay_id }));
  return [...failure, ...notes].map(({ code, message, field }) => ({
    row_number,
    status,
    code,
    message,
    field,
  }));
}
