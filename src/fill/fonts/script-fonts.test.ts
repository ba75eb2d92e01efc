import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawingBench } from '../../../test/support/drawn-row-pdf.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { bundledFontLibrary, moduleFolders } from '../node/bundled-fonts.ts';
import { engineName, installedFontPackages, nameWith } from '../node/engine-name.ts';
import { ENGINE_VERSION } from '../version.ts';
import { FALLBACK_FAMILIES } from './bundled-faces.ts';
import { packageOf } from './face-files.ts';
import { createFontKit } from './font-kit.ts';
import { OPTIONAL_FONT_PACKAGES, scriptFontFor } from './script-fonts.ts';

const BENGALI = '@expo-google-fonts/noto-sans-bengali';
const KHMER = '@expo-google-fonts/noto-sans-khmer';

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

/** A node_modules folder with two optional packages. The development packages have other names, so they exist only here. */
const folder = mkdtempSync(join(tmpdir(), 'rowpress-fonts-'));
for (const [name, installed] of [
  [BENGALI, 'test-font-bengali'],
  [KHMER, 'test-font-khmer'],
] as const) {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../../node_modules', installed), join(folder, name));
}
afterAll(() => rmSync(folder, { recursive: true }));

const withPackages = async (extra: object = {}) =>
  drawingBench([{ ...overlay, ...extra }], {
    kit: await createFontKit(bundledFontLibrary([folder, ...moduleFolders()])),
  });

describe('optional font packages', () => {
  it.each([
    ['Bengali', 'বাংলা ক্ষেত্র'],
    ['Khmer', 'ភាសាខ្មែរ'],
  ])('[FILL163] %s with its package installed: shaped, and reads as written', async (_, value) => {
    const bench = await withPackages();
    const drawing = bench.draw(value);
    expect(drawing.warnings).toEqual([]);
    const [page] = await readPdf(bench.pdf(value));
    const found = page?.texts.map(({ text }) => text).join('') ?? '';
    expect(found.replaceAll('\u200b', '')).toBe(value);
    const [item] = bench.drawer.layOut(new Map([['column_0', value]])).pages[0]?.items ?? [];
    if (item?.kind !== 'text') throw new Error('no text was drawn');
    const glyphs = item.lines.flatMap(({ runs }) =>
      runs.flatMap((run) => (run.kind === 'glyphs' ? run.glyphs.map(({ glyph }) => glyph) : [])),
    );
    expect(glyphs).not.toContain(0);
    // Conjuncts and stacked letters take fewer glyphs than characters.
    expect(glyphs.length).toBeLessThan([...value].length);
  });

  it('[FILL163] a bold text: uses the bold face of the package', async () => {
    const bench = await withPackages({ bold: true });
    const names = bench.draw('বাংলা').objects.map(({ body }) => Buffer.from(body).toString('latin1'));
    expect(names.join('\n')).toContain('NotoSansBengali-Bold');
  });

  it('[FILL164] a script whose package is not installed: the note names script and package', async () => {
    const bench = await drawingBench([overlay]);
    expect(bench.draw('ক ខ').warnings).toEqual([
      {
        code: 'GLYPH_MISSING',
        message:
          `No font has U+0995, U+1781. Bengali needs the font package ${BENGALI}. ` +
          `Khmer needs the font package ${KHMER}.`,
        overlay_id: 't',
      },
    ]);
  });

  it('[FILL164] a character that its installed package lacks: the note names no package', async () => {
    const bench = await withPackages();
    expect(bench.draw('ক\u09ff').warnings).toMatchObject([{ message: 'No font has U+09FF.' }]);
  });

  it.each([
    ['한', 'Hangul', '@embedpdf/fonts-kr'],
    ['か', 'Japanese', '@embedpdf/fonts-jp'],
    ['ㄅ', 'Traditional Chinese', '@embedpdf/fonts-tc'],
    ['漢', 'Han', '@embedpdf/fonts-sc'],
    ['த', 'Tamil', '@expo-google-fonts/noto-sans-tamil'],
    ['తె', 'Telugu', '@expo-google-fonts/noto-sans-telugu'],
    ['ગ', 'Gujarati', '@expo-google-fonts/noto-sans-gujarati'],
    ['ਗ', 'Gurmukhi', '@expo-google-fonts/noto-sans-gurmukhi'],
    ['ಕ', 'Kannada', '@expo-google-fonts/noto-sans-kannada'],
    ['മ', 'Malayalam', '@expo-google-fonts/noto-sans-malayalam'],
    ['ස', 'Sinhala', '@expo-google-fonts/noto-sans-sinhala'],
    ['ລ', 'Lao', '@expo-google-fonts/noto-sans-lao'],
    ['မ', 'Myanmar', '@expo-google-fonts/noto-sans-myanmar'],
    ['ქ', 'Georgian', '@expo-google-fonts/noto-sans-georgian'],
    ['Հ', 'Armenian', '@expo-google-fonts/noto-sans-armenian'],
    ['አ', 'Ethiopic', '@expo-google-fonts/noto-sans-ethiopic'],
    ['བ', 'Tibetan', '@expo-google-fonts/noto-serif-tibetan'],
  ])('[FILL164] %s: needs the font of %s', (character, script, name) => {
    const font = scriptFontFor(character.codePointAt(0) ?? 0);
    expect(font).toMatchObject({ script });
    expect(font && packageOf(font.files)).toBe(name);
    expect(OPTIONAL_FONT_PACKAGES).toContain(name);
    expect(FALLBACK_FAMILIES).toContain(font?.files);
  });

  it('[FILL165] other sets and versions of font packages: change the name of the engine', () => {
    const plain = installedFontPackages();
    const more = installedFontPackages([folder, ...moduleFolders()]);
    expect(more).toEqual([...plain, `${BENGALI}@0.4.4`, `${KHMER}@0.4.3`].sort());
    expect(nameWith(['@embedpdf/fonts-sc@1.0.0'])).toBe(ENGINE_VERSION);
    expect(engineName()).toBe(nameWith(plain));
    const names = [plain, more, [], ['@embedpdf/fonts-sc@1.0.1']].map(nameWith);
    expect(new Set(names).size).toBe(4);
    expect(nameWith(more)).toMatch(/^rowpress-fill\/\d+\+fonts\.[0-9a-f]{8}$/);
  });
});
