import { describe, expect, it } from 'vitest';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { readPdf } from '../../../../test/support/read-pdf.ts';

const overlay = {
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 20,
  y: 20,
  width: 550,
  height: 40,
  value: { column: 'column_0' },
};

async function textIn(
  value: string,
  font = 'sans',
): Promise<{ found: string; codes: string[]; added: number }> {
  const bench = await drawingBench([{ ...overlay, font }]);
  const drawing = bench.draw(value);
  const [page] = await readPdf(bench.pdf(value));
  const found = page?.texts.map(({ text }) => text).join('') ?? '';
  return { found, codes: drawing.warnings.map(({ code }) => code), added: drawing.objects.length };
}

const letters = (text: string) => [...text.replaceAll(/[\s\u200b-\u200f\u202a-\u202e]/g, '')].sort().join('');

describe('scripts', () => {
  it('[FILL60] Latin text: uses the base, and the row adds no font', async () => {
    for (const font of ['sans', 'serif', 'mono']) {
      const value = 'Þórður Ñandú Łódź Čapek “Straße” – €5… Ștefan';
      expect(await textIn(value, font)).toEqual({ found: value, codes: [], added: 0 });
    }
  });

  it.each([
    ['Greek and Cyrillic', 'Ωmega Ελλάδα Привет мир'],
    ['Vietnamese', 'Nguyễn Thị Hồng Nhung'],
    ['Devanagari', 'हिन्दी में क्षेत्र'],
    ['Thai', 'ภาษาไทย ก่อนนี้'],
    ['decomposed Latin', 'Zoe\u0308 Cafe\u0301'],
    ['mathematics and arrows', '∑ √2 ≤ π → ∞'],
    ['emoji', 'ok 😍 ☃ ✓'],
  ])('[FILL65] %s: reads as written', async (_, value) => {
    const { found, codes, added } = await textIn(value);
    expect(found.normalize('NFC')).toBe(value.normalize('NFC'));
    expect(codes).toEqual([]);
    expect(added).toBeGreaterThan(0);
  });

  it.each([
    ['Arabic', 'مرحبا بالعالم'],
    ['Hebrew', 'שלום עולם'],
  ])('[FILL65] %s: set from right to left and reads as written', async (_, value) => {
    const { found, codes } = await textIn(value);
    expect(found.replaceAll(/[\u200b-\u200f]/g, '')).toBe(value);
    expect(codes).toEqual([]);
  });

  it.each(['لا', 'السلام عليكم', 'لا إله إلا الله', 'ملأ الأرض', 'Order السلام now'])(
    '[FILL166] an Arabic text with ligatures (%s): reads letter by letter in the order written',
    async (value) => {
      const { found, codes } = await textIn(value);
      expect(found.replaceAll(/[\u200b-\u200f]/g, '')).toBe(value);
      expect(codes).toEqual([]);
    },
  );

  it('[FILL65] both directions in one line: each run has its own direction', async () => {
    const value = 'Order 42 (שלום) for محمد';
    const { found, codes } = await textIn(value);
    expect(letters(found)).toBe(letters(value));
    expect(codes).toEqual([]);
  });

  it('[FILL65] Arabic letters and Hebrew brackets: joined and mirrored', async () => {
    const bench = await drawingBench([overlay]);
    const glyphs = (value: string) => {
      const [page] = bench.drawer.layOut(new Map([['column_0', value]])).pages;
      const [item] = page?.items ?? [];
      if (item?.kind !== 'text') throw new Error('no text was drawn');
      return item.lines.flatMap((line) =>
        line.runs.flatMap((run) => (run.kind === 'glyphs' ? run.glyphs.map(({ glyph }) => glyph) : [])),
      );
    };
    expect(glyphs('بب')).not.toEqual([...glyphs('ب'), ...glyphs('ب')]);
    // Between Hebrew letters a bracket is drawn as its mirror image.
    const [, opening] = glyphs('א(ב').toReversed();
    const [, closing] = glyphs('א)ב').toReversed();
    expect(opening).not.toBe(closing);
    expect(glyphs('Ω(Ω')[1]).toBe(closing);
  });

  it('[FILL66] a character that no font has: draws the replacement glyph and adds a note', async () => {
    const bench = await drawingBench([overlay]);
    const drawing = bench.draw('a\u{1242b}b\u0001');
    expect(drawing.warnings).toEqual([
      { code: 'GLYPH_MISSING', message: 'No font has U+1242B, U+0001.', overlay_id: 't' },
    ]);
    expect(drawing).toMatchObject({ applied: 1, skipped: 0 });
    const { found } = await textIn('a\u{1242b}b');
    expect(found).toBe('a\ufffdb');
  });

  it('[FILL66] invisible characters: draw nothing; a lone surrogate adds a note', async () => {
    expect(await textIn('a\u200eb\u00adc\ufeffd')).toMatchObject({ codes: [] });
    expect((await textIn('a\ud800b')).codes).toEqual(['GLYPH_MISSING']);
    expect((await textIn('a\u{e0001}b')).codes).toEqual([]);
  });

  it('[FILL61] the subset of a row: contains exactly the added glyphs and depends only on their set', async () => {
    const bench = await drawingBench([
      overlay,
      { ...overlay, id: 'u', y: 100, value: { column: 'column_1' } },
    ]);
    const objects = (...values: string[]) =>
      bench
        .draw(...values)
        .objects.map(({ body }) => Buffer.from(body).toString('latin1'))
        .join('\n');
    expect(objects('мир', 'Ω')).toBe(objects('Ω', 'рим'));
    expect(objects('мир', '').length).toBeLessThan(objects('мир', 'щука').length);
    expect(bench.draw('мир', 'Ω').objects.length).toBe(5);
    expect(bench.draw('plain', 'text').objects).toEqual([]);
  });

  it('[FILL61] forty Han characters: take at most 80 kB', async ({ skip }) => {
    const bench = await drawingBench([{ ...overlay, width: 570 }]);
    const value = Array.from({ length: 40 }, (_, index) => String.fromCodePoint(0x4e00 + index * 37)).join(
      '',
    );
    const drawing = bench.draw(value);
    if (drawing.warnings.some(({ code }) => code === 'GLYPH_MISSING'))
      skip('no CJK font package is installed');
    const size = drawing.objects.reduce((total, { body }) => total + body.length, 0);
    expect(size).toBeGreaterThan(4000);
    expect(size).toBeLessThan(80_000);
    const [page] = await readPdf(bench.pdf(value));
    expect(page?.texts.map(({ text }) => text).join('')).toBe(value);
  });

  it('[FILL60] a face in the base: takes at most 20 kB', async () => {
    const faces = [
      { bold: false, italic: false },
      { bold: true, italic: false },
      { bold: false, italic: true },
    ];
    const bench = await drawingBench(faces.map((face, index) => ({ ...overlay, id: `t${index}`, ...face })));
    const size = bench.baseObjects.reduce((total, { body }) => total + body.length, 0);
    expect(size).toBeLessThan(60_000);
  });
});
