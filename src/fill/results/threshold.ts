/**
 * When does a run have too many failed rows? After every failed row, in row order, `failed / total × 100` is compared
 * with the caller's limit, unrounded and strictly. Because both sides are integers the answer is known beforehand:
 * the run is over at the k-th failed row, k = floor(max × total / 100) + 1. So workers may run in any order, and what is
 * reported is what one worker going row by row would have seen.
 */
export interface ThresholdDetails {
  readonly failure_class: 'threshold_failed';
  readonly input_row_count: number;
  readonly produced_row_count: number;
  readonly failed_row_count: number;
  readonly failed_row_percent: number;
  readonly max_failed_row_percent: number;
}

/** The number of failed rows that is one too many; it may exceed `total`, then nothing is. */
export function failuresToAbort(totalRows: number, maxFailedRowPercent: number): number {
  return Math.floor((maxFailedRowPercent * totalRows) / 100) + 1;
}

/**
 * The 1-based number of the row at which the run is over, or null while it is not. `failedRows` are the known
 * failures in ascending order; once it is not null, rows after it can be dropped, rows before it can only move it
 * forward.
 */
export function crossingRow(
  failedRows: readonly number[],
  totalRows: number,
  maxFailedRowPercent: number,
): number | null {
  return failedRows[failuresToAbort(totalRows, maxFailedRowPercent) - 1] ?? null;
}

export function thresholdDetails(
  crossing: number,
  totalRows: number,
  maxFailedRowPercent: number,
): ThresholdDetails {
  const failed = failuresToAbort(totalRows, maxFailedRowPercent);
  return {
    failure_class: 'threshold_failed',
    input_row_count: totalRows,
    produced_row_count: crossing - failed,
    failed_row_count: failed,
    failed_row_percent: percentOf(failed, totalRows),
    max_failed_row_percent: maxFailedRowPercent,
  };
}

/** Rounded half up to 4 decimals, for display only. Integers until the last division: 2e6 × 100,000 is exact. */
export function percentOf(part: number, total: number): number {
  return Math.floor((part * 2_000_000 + total) / (2 * total)) / 10_000;
}
