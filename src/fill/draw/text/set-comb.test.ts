import { describe, expect, it } from 'vitest';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { pageTexts } from '../../../../test/support/read-pdf.ts';
import type { TextItem } from '../display-list.ts';

const comb = (extra: object = {}) => ({
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 100,
  y: 200,
  width: 200,
  height: 24,
  value: { column: 'column_0' },
  comb: 10,
  ...extra,
});

interface Drawn extends TextItem {
  readonly notes: readonly { readonly code: string; readonly message: string }[];
  /** The text in each cell, by the centre of what is drawn there. */
  readonly cells: readonly string[];
}

async function drawn(value: string, extra: object = {}): Promise<Drawn> {
  const { drawer } = await drawingBench([comb(extra)]);
  const { pages, warnings } = drawer.layOut(new Map([['column_0', value]]));
  const [item] = pages[0]?.items ?? [];
  if (item?.kind !== 'text') throw new Error('no text was drawn');
  const cells = Array.from({ length: 10 }, () => '');
  for (const line of item.lines) {
    const cell = (line.x + line.width / 2) / 20;
    expect(cell - Math.floor(cell)).toBeCloseTo(0.5, 6); // centred
    const text = line.runs.map((run) =>
      run.kind === 'base' ? run.text : run.glyphs.map((glyph) => glyph.text).join(''),
    );
    cells[Math.floor(cell)] = text.join('');
  }
  return { ...item, cells, notes: warnings.map(({ code, message }) => ({ code, message })) };
}

const at = async (value: string, extra?: object) => (await drawn(value, extra)).cells.join('|');

describe('a comb', () => {
  it('[FILL202] a value: one character per cell, centred, from the side that align names', async () => {
    expect(await at('A1-b')).toBe('A|1|-|b||||||');
    expect(await at('A1-b', { align: 'right' })).toBe('||||||A|1|-|b');
    expect(await at('A1-b', { align: 'center' })).toBe('|||A|1|-|b|||');
    expect(await at('12 34\n')).toBe('1|2||3|4|||||');
  });

  it('[FILL202] the widest character: sets the size of all of them', async () => {
    expect((await drawn('iii', { size: 18, height: 30 })).size).toBe(18);
    const wide = await drawn('iWi', { size: 30, height: 40 });
    expect(wide.size).toBeLessThan(30);
    expect(Math.max(...wide.lines.map(({ width }) => width))).toBeCloseTo(20, 1);
    expect(new Set(wide.lines.map(({ baseline }) => baseline)).size).toBe(1);
  });

  it('[FILL202] combining marks, emoji and flags: a character with its marks takes one cell', async () => {
    expect(await at('e\u0301x')).toBe('e\u0301|x||||||||');
    expect(await at('कि2')).toBe('कि|2||||||||');
    expect(await at('a\u00adb\u200ec')).toBe('a|b|c|||||||');
  });

  it('[FILL202] right-to-left text: runs from right to left, and numbers in it from left to right', async () => {
    expect(await at('שלום', { align: 'right' })).toBe('||||||ם|ו|ל|ש');
    expect(await at('אב 12', { align: 'right' })).toBe('|||||1|2||ב|א');
    expect(await at('א(', { align: 'right' })).toBe('||||||||(|א');
  });

  it('[FILL203] more characters than cells: the first are drawn, and the row says how many do not fit', async () => {
    const long = await drawn('123456789012');
    expect(long.cells.join('')).toBe('1234567890');
    expect(long.notes).toEqual([
      { code: 'TEXT_CLIPPED', message: 'The text has 12 characters for 10 cells and was clipped.' },
    ]);
    expect((await drawn('1234567890')).notes).toEqual([]);
    expect((await drawn('1234567890   ')).notes).toEqual([]);
  });

  it('[FILL203] a character that is too wide at the minimum size, or with fit "clip": reported', async () => {
    expect((await drawn('W', { size: 30, min_size: 25, height: 40 })).notes).toMatchObject([
      { code: 'TEXT_CLIPPED' },
    ]);
    const clip = await drawn('W', { size: 30, height: 40, fit: 'clip' });
    expect(clip).toMatchObject({ size: 30, notes: [{ code: 'TEXT_CLIPPED' }] });
  });

  it('[FILL202] padding: applies above and below, and the cells still divide the whole width', async () => {
    const padded = await drawn('12', { padding: 4, valign: 'top' });
    expect(padded.cells.join('|')).toBe('1|2||||||||');
    expect(padded.frame).toMatchObject({ x: 100, y: 204, width: 200, height: 16 });
  });

  it('[FILL202] the PDF: an independent reader finds the characters in their order', async () => {
    const [text = ''] = await pageTexts((await drawingBench([comb()])).pdf('AB 7é'));
    expect(text.replaceAll(/\s/g, '')).toBe('AB7é');
  });
});
