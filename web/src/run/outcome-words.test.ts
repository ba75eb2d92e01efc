import { describe, expect, it } from 'vitest';
import { outcomeWords } from './outcome-words.ts';

const problem = (row_number: number, status: string) => ({ row_number, status });

describe('the result of a run', () => {
  it('[CON36] rows with notes: are counted apart, and the result is not green', () => {
    const problems = [problem(2, 'success'), problem(2, 'success'), problem(5, 'noted')];
    expect(outcomeWords(1000, { rows: problems, more: false })).toEqual({
      tone: 'warn',
      words: '1,000 rows succeeded, 2 with notes. The manifest in the ZIP lists them all.',
    });
  });

  it('[CON36] failed and partial rows: do not count as succeeded', () => {
    const rows = [problem(1, 'failed'), problem(2, 'partial'), problem(3, 'partial')];
    expect(outcomeWords(4, { rows, more: false }).words).toBe(
      '1 row succeeded, 2 with skipped fields, 1 failed. The manifest in the ZIP lists them all.',
    );
  });

  it('[CON36] more problems than are listed: the numbers are lower bounds', () => {
    expect(outcomeWords(9000, { rows: [problem(1, 'noted')], more: true }).words).toBe(
      'Some rows need attention, at least 1 with notes. The manifest in the ZIP lists them all.',
    );
  });

  it('[EDT20] a list of problem rows that was not loaded: the result is not green', () => {
    expect(outcomeWords(3, null)).toEqual({
      tone: 'warn',
      words: 'Some rows may have failed or need attention. The manifest in the ZIP lists them all.',
    });
  });

  it('[CON36] no problem row: the result is green', () => {
    expect(outcomeWords(3, { rows: [], more: false }).tone).toBe('good');
  });
});
