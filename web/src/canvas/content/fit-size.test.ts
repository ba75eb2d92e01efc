import { describe, expect, it } from 'vitest';
import { fitBox } from './fit-size.ts';

/** Every character half an em wide. */
const measure = (text: string) => text.length / 2;
const rules = {
  width: 100,
  height: 24,
  size: 10,
  min_size: 4,
  line_height: 1.2,
  wrap: false,
  fit: 'clip' as const,
};

describe('fitBox', () => {
  it('[FILL63] a line wider than its box: is not too high, so it keeps its vertical alignment', () => {
    expect(fitBox('x'.repeat(100), rules, measure)).toEqual({ size: 10, tooHigh: false });
  });

  it('[FILL63] lines whose em boxes are higher than the box: too high', () => {
    expect(fitBox('a\nb', rules, measure).tooHigh).toBe(false);
    expect(fitBox('a\nb\nc', rules, measure).tooHigh).toBe(true);
    expect(fitBox('a', { ...rules, height: 10 }, measure).tooHigh).toBe(false);
    expect(fitBox('a', { ...rules, height: 9.9 }, measure).tooHigh).toBe(true);
  });

  it('[EDT31] wrapped text: as large as the box allows, and no word is broken while it fits a line', () => {
    const wrapped = { ...rules, fit: 'shrink' as const, wrap: true };
    expect(fitBox('one two three four five six seven eight', { ...wrapped, height: 40 }, measure).size).toBe(
      10,
    );
    const shrunk = fitBox('one two three four five six seven eight nine ten', wrapped, measure).size;
    expect(shrunk).toBeGreaterThan(8);
    expect(shrunk).toBeLessThan(10);
    expect(fitBox('x'.repeat(25), wrapped, measure).size).toBeCloseTo(8);
    expect(fitBox('x'.repeat(60), { ...wrapped, height: 60 }, measure).size).toBe(10);
  });

  it('[FILL63] wrapped words and a word longer than its lines: counted as lines', () => {
    const wrapped = { ...rules, fit: 'wrap' as const };
    expect(fitBox('one two three four', wrapped, measure).tooHigh).toBe(false);
    expect(fitBox('x'.repeat(61), wrapped, measure).tooHigh).toBe(true);
    expect(fitBox(`${'eight888 '.repeat(5)}`.trim(), wrapped, measure).tooHigh).toBe(true);
  });
});
