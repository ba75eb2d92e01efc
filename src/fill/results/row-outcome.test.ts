import { describe, expect, it } from 'vitest';
import { rowStatus } from './row-outcome.ts';

describe('[FILL8] the status of a row', () => {
  it('is success, partial when something was skipped or nothing applied, failed without a PDF', () => {
    expect(rowStatus({ applied: 2, skipped: 0 }, null)).toBe('success');
    expect(rowStatus({ applied: 2, skipped: 1 }, null)).toBe('partial');
    expect(rowStatus({ applied: 0, skipped: 0 }, null)).toBe('partial');
    expect(rowStatus({ applied: 2, skipped: 0 }, { code: 'ROW_RENDER_FAILED', message: '' })).toBe('failed');
  });
});
