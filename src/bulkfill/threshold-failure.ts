import type { JobError } from '#engine/job-kind.ts';
import { crossingRow, thresholdDetails } from '#fill/results/threshold.ts';
import type { ExportInput, SliceResult } from './export-input.ts';

/** A wire value; must not change. */
const MESSAGE = 'The export job exceeded max_failed_row_percent and was aborted.';

/**
 * Returns the failure of a job whose failed rows exceed its threshold, with the counts of a single worker that reads
 * row by row. Returns undefined below the threshold. Slices after the deciding row may be missing.
 */
export function thresholdFailure(
  input: ExportInput,
  slices: readonly { readonly result: SliceResult | undefined }[],
): JobError | undefined {
  const { count } = input.rows;
  const { max_failed_row_percent: limit } = input.options;
  const failed = slices.flatMap(({ result }) => result?.failed ?? []);
  const crossing = crossingRow(failed, count, limit);
  if (crossing === null) return undefined;
  return {
    code: 'FAILED_ROW_THRESHOLD_EXCEEDED',
    message: MESSAGE,
    details: { ...thresholdDetails(crossing, count, limit) },
  };
}
