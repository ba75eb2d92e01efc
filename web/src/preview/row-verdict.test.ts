import { describe, expect, it } from 'vitest';
import { rowVerdict } from './row-verdict.ts';

describe("a row's badge", () => {
  const note = { code: 'GLYPH_MISSING' as const, message: 'No font has U+0995.', overlay_id: 't' };
  const skip = { code: 'CODE_VALUE_INVALID' as const, message: 'Not an EAN.', overlay_id: 'b' };

  it('[CON35][EDT123] a row that succeeded with a note: is not green', () => {
    expect(rowVerdict({ status: 'success', warnings: [note] })).toEqual({
      tone: 'warn',
      words: 'With notes',
    });
  });

  it('[EDT123] other rows: are fine, lack a field, or have no document', () => {
    expect(rowVerdict({ status: 'success', warnings: [] })).toEqual({ tone: 'good', words: 'Fine' });
    expect(rowVerdict({ status: 'partial', warnings: [skip] })).toEqual({
      tone: 'bad',
      words: 'A field is missing',
    });
    expect(rowVerdict({ status: 'failed', warnings: [] })).toEqual({ tone: 'bad', words: 'No document' });
  });

  it('[EDT123] a row in which no field is drawn: is not green', () => {
    expect(rowVerdict({ status: 'partial', warnings: [] })).toEqual({
      tone: 'warn',
      words: 'Nothing filled in',
    });
  });
});
