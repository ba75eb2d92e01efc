import * as hb from 'harfbuzzjs';
import { describe, expect, it } from 'vitest';
import { bundledKit } from '../../../test/support/drawn-row-pdf.ts';
import { bundledFontLibrary } from '../node/bundled-fonts.ts';
import { BUILT_IN_FAMILIES, FALLBACK_FAMILIES, fileFor } from './bundled-faces.ts';
import { openFace } from './face.ts';
import { FontInvalid, readSfnt } from './sfnt.ts';
import { Subsetter } from './subsetter.ts';
import { toUnicodeCMap } from './to-unicode.ts';

const regular = { bold: false, italic: false };
const library = bundledFontLibrary();
const faces = [...Object.values(BUILT_IN_FAMILIES), ...FALLBACK_FAMILIES].flatMap((family) =>
  Object.values(family).filter(
    (file): file is string => file !== undefined && library.face(file) !== undefined,
  ),
);

describe('bundled faces', () => {
  it('[FILL60] sans, serif and mono: available in four styles', () => {
    const styles = [
      regular,
      { bold: true, italic: false },
      { bold: false, italic: true },
      { bold: true, italic: true },
    ];
    const files = Object.values(BUILT_IN_FAMILIES).flatMap((family) =>
      styles.map((style) => fileFor(family, style)),
    );
    expect(new Set(files).size).toBe(12);
    for (const file of files) expect(library.face(file)).toBeDefined();
  });

  it('[FILL60] a style that a family lacks: replaced by the nearest one', () => {
    const upright = { regular: 'r', bold: 'b' };
    expect(fileFor(upright, { bold: true, italic: true })).toBe('b');
    expect(fileFor(upright, { bold: false, italic: true })).toBe('r');
  });

  it.each([...new Set(faces)])('%s: read like harfbuzz reads it', (file) => {
    const bytes = library.face(file);
    if (bytes === undefined) throw new Error('the face is gone');
    const face = openFace(file, bytes);
    const judgeFace = new hb.Face(new hb.Blob(bytes));
    const judge = new hb.Font(judgeFace);
    expect(face.font.unitsPerEm).toBe(judgeFace.upem);
    const unicodes = [...judgeFace.collectUnicodes()];
    expect(unicodes.length).toBeGreaterThan(100);
    const step = Math.ceil(unicodes.length / 800);
    for (let index = 0; index < unicodes.length; index += step) {
      const unicode = unicodes[index] ?? 0;
      const glyph = face.glyphOf(unicode);
      expect(glyph).toBe(judge.nominalGlyph(unicode) ?? 0);
      expect(face.font.advance(glyph)).toBe(judge.glyphHAdvance(glyph));
    }
    expect(face.glyphOf(0x10ffff)).toBe(0);
  });
});

describe('readSfnt', () => {
  const file = library.face(fileFor(BUILT_IN_FAMILIES.sans, regular)) ?? new Uint8Array();

  it('[FILL80] a file that is not a font, or is truncated at any byte: rejected', () => {
    for (const length of [0, 3, 12, 100, 300, 2000]) {
      expect(() => readSfnt(file.slice(0, length))).toThrow(FontInvalid);
    }
    expect(() => readSfnt(new TextEncoder().encode('%PDF-1.7 not a font at all'))).toThrow(FontInvalid);
  });

  it('[FILL80] a damaged file: read, or rejected with FontInvalid; never another error', async () => {
    const { subsetter } = await bundledKit();
    let refused = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const damaged = file.slice();
      for (let hit = 0; hit < 40; hit += 1) {
        damaged[(seed * 7919 + hit * 104_729) % (hit % 2 === 0 ? 400 : damaged.length)] =
          (seed * 31 + hit * 17) & 255;
      }
      try {
        const face = openFace(`damaged ${seed}`, damaged);
        const glyphs = [0x41, 0xc9, 0x17d].map((unicode) => face.glyphOf(unicode));
        subsetter.subset(face.font, glyphs);
      } catch (error) {
        expect(error).toBeInstanceOf(FontInvalid);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});

describe('Subsetter', () => {
  it('[FILL61] requested glyphs: kept with their components, with the same bytes every time', () => {
    const file = library.face(fileFor(BUILT_IN_FAMILIES.sans, regular)) ?? new Uint8Array();
    const { font, glyphOf } = openFace('sans', file);
    const wanted = [glyphOf(0xe9), glyphOf(0x41)]; // é is built from e and the acute
    const first = new Subsetter(library).subset(font, wanted);
    expect(first.glyphs.size).toBeGreaterThan(3);
    expect(first.glyphs.get(0)).toBe(0);
    expect(first.file.length).toBeLessThan(2000);
    const again = new Subsetter(library);
    const cold = again.subset(font, wanted.toReversed());
    const warm = again.subset(font, wanted);
    expect(Buffer.from(cold.file).equals(Buffer.from(first.file))).toBe(true);
    expect(Buffer.from(warm.file).equals(Buffer.from(first.file))).toBe(true);
  });
});

describe('toUnicodeCMap', () => {
  it('[FILL65] many characters: blocks of at most 100, with surrogates beyond the first plane', () => {
    const texts = Array.from({ length: 150 }, (_, index) => [index + 1, 'a'] as const);
    const cmap = toUnicodeCMap([...texts, [200, '😍'], [201, 'fi']]);
    expect(cmap).toContain('100 beginbfchar');
    expect(cmap).toContain('52 beginbfchar');
    expect(cmap).toContain('<00C8> <D83DDE0D>');
    expect(cmap).toContain('<00C9> <00660069>');
  });
});
