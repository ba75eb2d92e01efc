import { describe, expect, it } from 'vitest';
import { boxWords, fontWords, paperWords, rotationWords } from './source-words.ts';

describe('the facts of a PDF in words', () => {
  it('knows the usual papers either way up, and the size of others', () => {
    expect(paperWords(595.28, 841.89)).toBe('A4 portrait, 210 × 297 mm');
    expect(paperWords(792, 612)).toBe('Letter landscape, 279 × 216 mm');
    expect(paperWords(100, 200)).toBe('35 × 71 mm');
  });

  it('tells turned and cropped pages', () => {
    const pages = [
      { box: [0, 0, 10, 10] as [number, number, number, number], rotation: 90 as const, user_unit: 1 },
      { box: [5, 0, 10, 10] as [number, number, number, number], rotation: 0 as const, user_unit: 1 },
    ];
    expect(rotationWords({ pages })).toBe('1 of 2 pages turned; placed as displayed');
    expect(boxWords({ pages })).toBe('cropped or shifted on 1 of 2 pages');
  });

  it('names fonts and counts those that are not in the file', () => {
    expect(fontWords([])).toBe('none');
    const fonts = ['A', 'B', 'C', 'D'].map((name) => ({ name, embedded: name !== 'B' }));
    expect(fontWords(fonts)).toBe('A, B, C and 1 more (1 not embedded)');
  });
});
