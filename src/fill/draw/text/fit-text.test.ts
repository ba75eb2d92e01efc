import { describe, expect, it } from 'vitest';
import { type FitRules, fitText } from './fit-text.ts';
import { breakLines } from './line-breaking.ts';
import { BREAK_AFTER, CUT_AFTER, type Paragraph, SPACE } from './paragraph.ts';

/** Every character is half an em wide, so that the length of a text gives its width. */
function halfEm(text: string): Paragraph {
  const advances = new Uint32Array(text.length).fill(500);
  const marks = Uint8Array.from(text, (character) =>
    character === ' ' ? SPACE | BREAK_AFTER | CUT_AFTER : CUT_AFTER,
  );
  return {
    width: text.length * 500,
    length: text.length,
    rightToLeft: false,
    breaks: () => ({ advances, marks, hyphen: 0 }),
    line: (from, to) => ({ runs: [], width: text.slice(from, to).trimEnd().length * 500 }),
  };
}

const rules: FitRules = {
  width: 100,
  height: 30,
  size: 10,
  minSize: 4,
  lineHeight: 1.2,
  wrap: false,
  fit: 'shrink',
};
const linesOf = (text: string, limit: number) => {
  const { lines } = breakLines(halfEm(text), limit);
  return lines.map(({ from, to }) => text.slice(from, to).trimEnd());
};

describe('breakLines', () => {
  it('[FILL62] several words: each line has as many as fit', () => {
    expect(linesOf('one two three four', 4000)).toEqual(['one two', 'three', 'four']);
    expect(linesOf('one two', 3500)).toEqual(['one two']);
  });

  it('[FILL62] a word that is longer than a line: split; other words are not', () => {
    expect(linesOf('abcdefghij kl', 2000)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(breakLines(halfEm('abcdefghij'), 2000).cut).toBe(true);
    expect(breakLines(halfEm('ab cd'), 1000).cut).toBe(false);
  });

  it('[FILL62] spaces at the edge and narrow lines: spaces overhang, and each line has at least one character', () => {
    expect(linesOf('ab   cd', 1000)).toEqual(['ab', 'cd']);
    expect(linesOf('abc', 100)).toEqual(['a', 'b', 'c']);
  });
});

describe('fitText', () => {
  it('[FILL62] a text that fits: keeps its size', () => {
    expect(fitText([halfEm('twenty characters ok')], rules)).toMatchObject({ size: 10, overflows: false });
  });

  it('[FILL62] a text that is too wide or too high: shrinks', () => {
    const wide = fitText([halfEm('x'.repeat(40))], rules);
    expect(wide).toMatchObject({ size: 5, overflows: false });
    const tall = fitText([halfEm('a'), halfEm('b'), halfEm('c'), halfEm('d')], rules);
    expect(tall.size).toBe(6.52); // 1 + 3 × 1.2 em boxes in 30 pt
    expect(tall.overflows).toBe(false);
  });

  it('[FILL62] a text that does not fit at the minimum size: keeps that size and reports the overflow', () => {
    expect(fitText([halfEm('x'.repeat(100))], rules)).toMatchObject({ size: 4, overflows: true });
  });

  it('[FILL62] a wrapped text: keeps its size, or shrinks', () => {
    const text = halfEm('aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj');
    const wrapped = fitText([text], { ...rules, fit: 'wrap' });
    expect(wrapped.lines.length).toBe(3);
    expect(wrapped).toMatchObject({ size: 10, overflows: true });
    const shrunk = fitText([text], { ...rules, wrap: true });
    expect(shrunk.overflows).toBe(false);
    expect(shrunk.size).toBeGreaterThan(8);
    expect(shrunk.size).toBeLessThan(10);
  });

  it('[FILL62] a wrapped text in a tall box: keeps its size, and a long word shrinks instead of being split', () => {
    const tall = { ...rules, height: 60, wrap: true };
    const address = halfEm('Acme Trading Company, 1 Long Street, 12345 Springfield');
    expect(fitText([address], tall)).toMatchObject({ size: 10, overflows: false });
    expect(fitText([halfEm('x'.repeat(25))], tall)).toMatchObject({ size: 8, overflows: false });
    const split = fitText([halfEm('x'.repeat(60))], tall);
    expect(split).toMatchObject({ size: 10, overflows: false });
    expect(split.lines.at(-1)?.to).toBe(60); // split over lines, but nothing is lost
  });

  it('[FILL62] a clipped text: keeps its size and lines', () => {
    expect(fitText([halfEm('x'.repeat(40))], { ...rules, fit: 'clip' })).toMatchObject({
      size: 10,
      overflows: true,
    });
  });
});
