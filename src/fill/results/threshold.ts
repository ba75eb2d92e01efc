/**
 * The row at which a run has too many failed rows. After every failed row, in row order, `failed / total × 100` is compared
 * with the caller's limit, unrounded and strictly. Both sides are integers, so the limit is known in advance: the run ends at
 * the k-th failed row, k = floor(max × total / 100) + 1. Workers may therefore run in any order, and the report is the same
 * as that of one worker that fills row by row.
 */
export interface ThresholdDetails {
  readonly failure_class: 'threshold_failed';
  readonly input_row_count: number;
  readonly produced_row_count: number;
  readonly failed_row_count: number;
  readonly failed_row_percent: number;
  readonly max_failed_row_percent: number;
}

/** The number of failed rows that ends the run. If it exceeds `total`, the run never ends early. */
export function failuresToAbort(totalRows: number, maxFailedRowPercent: number): number {
  return Math.floor((maxFailedRowPercent * totalRows) / 100) + 1;
}

/**
 * Returns the 1-based number of the row at which the run ends, or null if it does not. `failedRows` are the known failures
 * in ascending order. Rows after the returned one can be dropped; results of earlier rows can only make it smaller.
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
