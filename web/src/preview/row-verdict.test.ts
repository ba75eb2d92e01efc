import { describe, expect, it } from 'vitest';
import { rowVerdict } from './row-verdict.ts';

describe("a row's badge", () => {
  const note = { code: 'GLYPH_MISSING' as const, message: 'No font has U+0995.', overlay_id: 't' };

  it('[CON35] a row that succeeded with a note: is not green', () => {
    expect(rowVerdict({ status: 'success', warnings: [note] })).toEqual({
      tone: 'warn',
      words: 'success, with notes',
    });
  });

  it('[CON35] other rows: keep the colour of their status', () => {
    expect(rowVerdict({ status: 'success', warnings: [] }).tone).toBe('good');
    expect(rowVerdict({ status: 'partial', warnings: [note] }).tone).toBe('warn');
    expect(rowVerdict({ status: 'failed', warnings: [] }).tone).toBe('bad');
  });
});
