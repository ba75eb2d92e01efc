import { describe, expect, it } from 'vitest';
import { failureOutcome, outcomeWords } from './outcome-words.ts';

const problem = (row_number: number, status: 'failed' | 'partial' | 'noted', code = 'TEXT_CLIPPED') => ({
  row_number,
  status,
  code,
});
const none = { rows: [], more: false };

describe('the result of a run', () => {
  it('[CON36] rows with notes: are counted apart, and the result is not green', () => {
    const rows = [
      problem(2, 'noted'),
      problem(2, 'noted', 'GLYPH_MISSING'),
      problem(5, 'noted'),
      problem(6, 'noted', 'CODE_TOO_SMALL'),
    ];
    expect(outcomeWords({ total: 1000, failed: 0, partial: 0, problems: { rows, more: false } })).toEqual({
      tone: 'warn',
      title: 'All 1,000 documents created',
      words:
        '3 documents have notes: text does not fit, characters are missing and others. manifest.json in the ZIP lists them all.',
    });
  });

  it('[CON36] failed and partial rows: are counted apart, and failed ones have no document', () => {
    const rows = [problem(1, 'failed'), problem(2, 'partial'), problem(3, 'partial')];
    const told = outcomeWords({ total: 4, failed: 1, partial: 2, problems: { rows, more: false } });
    expect(told.title).toBe('3 of 4 documents created');
    expect(told.tone).toBe('bad');
    expect(told.words).toBe(
      '1 row failed and has no document. 2 documents have skipped fields. manifest.json in the ZIP lists them all.',
    );
  });

  it('[CON36] more problems than are listed: the number of notes is a lower bound', () => {
    const problems = { rows: [problem(1, 'noted')], more: true };
    expect(outcomeWords({ total: 9000, failed: 0, partial: 0, problems }).words).toContain(
      'At least 1 document has notes: text does not fit.',
    );
  });

  it('[EDT20] a list of problem rows that was not loaded: the result is not green', () => {
    expect(outcomeWords({ total: 3, failed: 0, partial: 0, problems: null })).toEqual({
      tone: 'warn',
      title: 'All 3 documents created',
      words: 'Some rows may need attention. manifest.json in the ZIP lists them all.',
    });
  });

  it('[CON36] no problem row: the result is green', () => {
    const { tone, title } = outcomeWords({ total: 1, failed: 0, partial: 0, problems: none });
    expect([tone, title]).toEqual(['good', '1 document created']);
  });

  it('[EDT247] a run of groups: counts groups, not rows', () => {
    const none = { rows: [], more: false };
    expect(outcomeWords({ total: 3, failed: 1, partial: 0, unit: 'group', problems: none })).toMatchObject({
      title: '2 of 3 documents created',
      words: expect.stringContaining('1 group failed and has no document.'),
    });
    const { words } = outcomeWords({ total: 3, failed: 0, partial: 0, unit: 'group', problems: none });
    expect(words).toBe('All groups succeeded without notes.');
  });

  it('[EDT65] a run that stopped: says why, in the words of the choice', () => {
    const stopped = { code: 'FAILED_ROW_THRESHOLD_EXCEEDED', message: 'x' };
    expect(failureOutcome(stopped, 1, 0)).toEqual({
      title: 'Run stopped: 1 row failed',
      words:
        'The run was set to stop at the first failed row. No document was delivered, and nothing was counted against the quota.',
    });
    expect(failureOutcome(stopped, 30, 5).words).toContain('stop above 5 % failed rows');
    expect(failureOutcome({ code: 'EXPORT_CANCELLED', message: 'x' }, 0, 0).title).toBe('Run cancelled');
    expect(failureOutcome({ code: 'OUTPUT_TOO_LARGE', message: 'Too large.' }, 0, 0).words).toMatch(
      /^Too large\. No document/,
    );
  });
});
