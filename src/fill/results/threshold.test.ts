import { describe, expect, it } from 'vitest';
import { crossingRow, failuresToAbort, percentOf, thresholdDetails } from './threshold.ts';

describe('[FILL18] the failed-row threshold', () => {
  it('every total up to 200 and every limit: agrees with exact integers', () => {
    let checked = 0;
    for (let total = 1; total <= 200; total += 1) {
      for (let max = 0; max <= 100; max += 1) {
        const abort = failuresToAbort(total, max);
        for (let failed = 0; failed <= total; failed += 1) {
          const exceeded = BigInt(failed) * 100n > BigInt(max) * BigInt(total);
          if (failed >= abort !== exceeded) throw new Error(`${failed} of ${total} at ${max} %`);
          checked += 1;
        }
      }
    }
    expect(checked).toBe(101 * ((200 * 201) / 2 + 200));
  });

  it('large totals at the threshold: agrees with exact integers', () => {
    for (const total of [9_999, 33_333, 99_999, 100_000]) {
      for (let max = 0; max <= 100; max += 1) {
        const abort = BigInt(failuresToAbort(total, max));
        expect(abort * 100n > BigInt(max) * BigInt(total)).toBe(true);
        expect((abort - 1n) * 100n > BigInt(max) * BigInt(total)).toBe(false);
      }
    }
  });

  it('the k-th failed row in row order: crosses the threshold, with the counts of a sequential run', () => {
    expect(crossingRow([2, 5, 6], 10, 20)).toBe(6);
    expect(crossingRow([2, 5], 10, 20)).toBeNull();
    expect(crossingRow([1, 2, 3], 3, 100)).toBeNull();
    expect(thresholdDetails(6, 10, 20)).toEqual({
      failure_class: 'threshold_failed',
      input_row_count: 10,
      produced_row_count: 3,
      failed_row_count: 3,
      failed_row_percent: 30,
      max_failed_row_percent: 20,
    });
    expect(thresholdDetails(1, 3, 0)).toMatchObject({ produced_row_count: 0, failed_row_percent: 33.3333 });
  });

  it('percentages: rounded to four decimals', () => {
    expect([
      percentOf(1, 3),
      percentOf(2, 3),
      percentOf(1, 7),
      percentOf(5, 5),
      percentOf(1, 80_000),
    ]).toEqual([33.3333, 66.6667, 14.2857, 100, 0.0013]);
  });
});
