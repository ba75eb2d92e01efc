import { describe, expect, it } from 'vitest';
import { SHEET_PRESETS } from '#fill/sheet/presets.ts';
import { presetName, searchPresets } from './sheet-presets.ts';

const names = (text: string) => searchPresets(text).map(({ preset }) => preset);

describe('the list of sheets', () => {
  it('[EDT231] a sheet: has its brand, number, and the number and size of its labels', () => {
    expect(presetName('avery-l7159')).toBe('Avery L7159 · 24 labels of 63.5 × 33.9 mm');
    expect(presetName('avery-5160')).toBe('Avery 5160 · 30 labels of 2.625 × 1 in');
    expect(presetName('zweckform-3478')).toBe('Avery Zweckform 3478 · 1 label of 210 × 297 mm');
  });

  it.each([
    ['L7160', 'avery-l7160'],
    ['l 7160', 'avery-l7160'],
    ['herma 4453', 'herma-4453'],
    ['24 labels 70x37', 'zweckform-3474'],
    ['70 × 37', 'herma-4464'],
    ['2.625 letter', 'avery-8160'],
    ['63,5 x 33,9', 'avery-l7159'],
  ])('[EDT231] %j: finds %s', (text, expected) => {
    expect(names(text)).toContain(expected);
    expect(names(text).length).toBeLessThan(SHEET_PRESETS.length / 3);
  });

  it('[EDT231] words that no sheet has: find nothing', () => {
    expect(names('herma letter')).toEqual([]);
  });
});
