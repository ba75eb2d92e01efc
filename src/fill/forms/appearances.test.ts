import { describe, expect, it } from 'vitest';
import { bundledKit, cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { remappedFont } from '../../../test/support/remapped-font.ts';
import { BUILT_IN_FAMILIES } from '../fonts/bundled-faces.ts';

const mapped = (field: string, members: object = {}) => ({
  id: `id-${field}`,
  field,
  value: { column: 'column_0' },
  ...members,
});
/** A font of the package with two characters: A, and a private one that no bundled face has. */
const PRIVATE = '\u{f0123}';
async function brand() {
  const file = (await bundledKit()).face(BUILT_IN_FAMILIES.serif.regular)?.font.bytes;
  if (file === undefined) throw new Error('the bundled face is not installed');
  return {
    fonts: [{ name: 'Brand', regular: 'assets/brand.ttf' }],
    assets: new Map([['assets/brand.ttf', remappedFont(file, { A: 'W', [PRIVATE]: '@' })]]),
  };
}
const fontNames = (bytes: Uint8Array) =>
  Buffer.from(bytes)
    .toString('latin1')
    .match(/\/BaseFont\s*\/[^\s/]+/g) ?? [];

const row = (fill: PreparedFill, ...values: string[]) => fill.filler.fill(1, cellsOf(...values)).result;

describe('appearances of native fields', () => {
  it('[FILL63] a right-aligned field whose text is too wide: shows its beginning at the same height', async () => {
    const form_fields = [mapped('amount')];
    const fill = await prepareForTest(formPdf(), { form_fields }, { flattenForms: true });
    const [fits] = await readPdf(fill.pdf('BEGIN'));
    const [wide] = await readPdf(fill.pdf(`BEGIN${'x'.repeat(60)}END`));
    const placed = (page: typeof fits) => page?.texts.find(({ text }) => text.startsWith('BEGIN'));
    expect(placed(wide)?.y).toBeCloseTo(placed(fits)?.y ?? 0, 2);
    expect(placed(wide)?.x).toBeCloseTo(122, 1);
    expect(wide?.texts.map(({ text }) => text).join('')).not.toContain('END');
    expect(row(fill, `BEGIN${'x'.repeat(60)}`).warnings).toMatchObject([
      { code: 'TEXT_CLIPPED', overlay_id: 'id-amount' },
    ]);
  });

  it('[FILL120] a mapping that names a font of the layout: its text is set in that font', async () => {
    const { fonts, assets } = await brand();
    const form_fields = [mapped('amount', { font: 'Brand', bold: false })];
    const fill = await prepareForTest(formPdf(), { fonts, form_fields }, { flattenForms: true }, { assets });
    const [page] = await readPdf(fill.pdf('AAA'));
    // Right-aligned at 318 in 12 pt; an A of this font has the glyph and the width of a W, 0.944 em.
    expect(page?.texts.find(({ text }) => text === 'AAA')?.x).toBeCloseTo(318 - 3 * 12 * 0.944, 1);
  });

  it('[FILL120] a mapping with bold or italic: the field is set in that face', async () => {
    const faces = async (members: object) => {
      const fill = await prepareForTest(formPdf(), { form_fields: [mapped('employee.name', members)] });
      return fontNames(fill.base.bytes).join(' ');
    };
    expect(await faces({ bold: true })).toMatch(/Arimo-Bold\b(?!Italic)/);
    expect(await faces({ font: 'serif', italic: true })).toMatch(/Tinos-Italic/);
    expect(await faces({})).not.toMatch(/Arimo-Bold|Tinos-Italic/);
  });

  it('[FILL120] a font that the layout does not declare: rejected by the schema', async () => {
    const form_fields = [mapped('employee.name', { font: 'Nowhere' })];
    await expect(prepareForTest(formPdf(), { form_fields })).rejects.toThrow(/neither built in nor declared/);
  });

  it('[FILL121] a character that only a font of the layout has: set from that font, in fields and overlays', async () => {
    const { fonts, assets } = await brand();
    const overlays = [
      { id: 'o', type: 'text', page: 1, x: 20, y: 20, width: 90, height: 20, value: { column: 'column_0' } },
    ] as const;
    const layout = { overlays: [...overlays], form_fields: [mapped('employee.name')] };
    const without = await prepareForTest(formPdf(), layout);
    expect(row(without, `x${PRIVATE}`).warnings.map(({ code }) => code)).toEqual([
      'GLYPH_MISSING',
      'GLYPH_MISSING',
    ]);
    const fill = await prepareForTest(formPdf(), { ...layout, fonts }, {}, { assets });
    expect(row(fill, `x${PRIVATE}`)).toMatchObject({ status: 'success', warnings: [] });
    // Characters of the bundled faces still use those faces.
    expect(fill.filler.fill(1, cellsOf('A')).tail?.length).toBe(
      without.filler.fill(1, cellsOf('A')).tail?.length,
    );
  });

  it('[FILL80] an unused declared font that is not a font file: the package is rejected', async () => {
    const { fonts } = await brand();
    const assets = new Map([['assets/brand.ttf', new Uint8Array(100)]]);
    await expect(prepareForTest(formPdf(), { fonts }, {}, { assets })).rejects.toThrow(/PACKAGE_INVALID/);
  });
});
