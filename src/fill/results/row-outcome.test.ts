import { describe, expect, it } from 'vitest';
import { rowStatus } from './row-outcome.ts';

describe('[FILL8] the status of a row', () => {
  it('skipped or no applied overlays: partial; no PDF: failed; otherwise: success', () => {
    expect(rowStatus({ applied: 2, skipped: 0 }, null)).toBe('success');
    expect(rowStatus({ applied: 2, skipped: 1 }, null)).toBe('partial');
    expect(rowStatus({ applied: 0, skipped: 0 }, null)).toBe('partial');
    expect(rowStatus({ applied: 2, skipped: 0 }, { code: 'ROW_RENDER_FAILED', message: '' })).toBe('failed');
  });
});
