import { describe, expect, it } from 'vitest';
import { bundledKit, cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { PdfBuilder } from '../../../test/support/pdf-builder.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { remappedFont } from '../../../test/support/remapped-font.ts';
import { BUILT_IN_FAMILIES } from '../fonts/bundled-faces.ts';
import { openFace } from '../fonts/face.ts';
import { readToUnicode } from './to-unicode-map.ts';

async function serif(): Promise<Uint8Array> {
  const file = (await bundledKit()).face(BUILT_IN_FAMILIES.serif.regular)?.font.bytes;
  if (file === undefined) throw new Error('the bundled face is not installed');
  return file;
}

/** One right-aligned field whose default appearance names the font that `add` embeds. */
function fieldIn(add: (pdf: PdfBuilder) => number): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, tree, page] = [pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const font = add(pdf);
  const field = pdf.add(
    `<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(name)/Q 2/Rect[100 700 300 720]/DA(/Own 10 Tf 0 g)>>`,
  );
  pdf.set(page, `<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]/Annots[${field} 0 R]>>`);
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  pdf.set(
    root,
    `<</Type/Catalog/Pages ${tree} 0 R/AcroForm<</Fields[${field} 0 R]/DR<</Font<</Own ${font} 0 R>>>>>>>>`,
  );
  return pdf.build(root);
}

/** Every character is this wide, so that positions show which font a text uses. */
const WIDTH = 700;
function simple(program: Uint8Array, members = '/Encoding/WinAnsiEncoding', flags = 32, name = 'Brand') {
  return (pdf: PdfBuilder) => {
    const file = pdf.add('<<>>', program);
    const descriptor = pdf.add(
      `<</Type/FontDescriptor/FontName/${name}/Flags ${flags}/FontFile2 ${file} 0 R>>`,
    );
    const widths = Array.from({ length: 224 }, () => WIDTH).join(' ');
    return pdf.add(
      `<</Type/Font/Subtype/TrueType/BaseFont/${name}/FirstChar 32/LastChar 255/Widths[${widths}]/FontDescriptor ${descriptor} 0 R${members}>>`,
    );
  };
}

const layout = { form_fields: [{ id: 'f', field: 'name', value: { column: 'column_0' } }] };
const x = async (fill: PreparedFill, value: string) => {
  const [page] = await readPdf(fill.pdf(value));
  const texts = page?.texts.filter(({ text }) => text.trim() !== '') ?? [];
  expect(texts.map(({ text }) => text.replaceAll(' ', '')).join('')).toBe(value.replaceAll(' ', ''));
  return texts[0]?.x ?? 0;
};
/** The start of a text of this many characters in the field's own font. */
const ownX = (length: number) => 298 - (length * WIDTH * 10) / 1000;

describe('fonts of the source', () => {
  it('[FILL129] a field whose font is embedded and has all characters: set in that font', async () => {
    const fill = await prepareForTest(fieldIn(simple(await serif())), layout, { flattenForms: true });
    expect(await x(fill, 'Zoë €5')).toBeCloseTo(ownX(6), 1);
    expect(Buffer.from(fill.filler.fill(1, cellsOf('Zoë (1)')).tail ?? []).toString('latin1')).toContain(
      '(Zo\xeb \\(1\\))Tj',
    );
    const kept = await prepareForTest(fieldIn(simple(await serif())), layout);
    expect(Buffer.from(kept.pdf('Ann')).toString('latin1')).toContain('(Ann)Tj');
  });

  it('[FILL129] a character that the font lacks: the row’s text is set in a bundled face', async () => {
    const file = remappedFont(await serif(), { A: 'A', n: 'n', ' ': ' ' });
    const fill = await prepareForTest(fieldIn(simple(file)), layout, { flattenForms: true });
    expect(await x(fill, 'Ann')).toBeCloseTo(ownX(3), 1);
    for (const value of ['Anna', 'Łn', 'A漢']) {
      expect(fill.filler.fill(1, cellsOf(value)).result.warnings).toEqual([]);
      expect(Math.abs((await x(fill, value)) - ownX(value.length))).toBeGreaterThan(2);
    }
  });

  it('[FILL129] a mapping that names a font: that font is used', async () => {
    const named = { form_fields: [{ id: 'f', field: 'name', value: { column: 'column_0' }, font: 'sans' }] };
    const fill = await prepareForTest(fieldIn(simple(await serif())), named, { flattenForms: true });
    expect(await x(fill, 'Ann')).toBeGreaterThan(ownX(3) + 2);
  });

  it('[FILL129] fonts that cannot be proved to have a character: a bundled face is used', async () => {
    const file = await serif();
    const sources = [
      simple(file, ''),
      simple(file, '/Encoding/WinAnsiEncoding', 4),
      simple(file, '/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65/alpha]>>'),
      simple(file.subarray(0, 3000)),
      simple(new TextEncoder().encode('not a font')),
      (pdf: PdfBuilder) =>
        pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>'),
    ];
    for (const source of sources) {
      const fill = await prepareForTest(fieldIn(source), layout, { flattenForms: true });
      expect(await x(fill, 'Ann')).toBeGreaterThan(ownX(3) + 2);
    }
  });

  it('[FILL129] a composite font with a ToUnicode map: set in that font', async () => {
    const file = await serif();
    const face = openFace('serif', file);
    const glyph = (character: string) =>
      face
        .glyphOf(character.codePointAt(0) ?? 0)
        .toString(16)
        .padStart(4, '0');
    const unicode = (character: string) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    const pairs = [...'AnŁß'].map((one) => `<${glyph(one)}> <${unicode(one)}>`);
    const composite = (pdf: PdfBuilder) => {
      const program = pdf.add('<<>>', file);
      const map = pdf.add('<<>>', `4 beginbfchar\n${pairs.join('\n')}\nendbfchar`);
      const descriptor = pdf.add(`<</Type/FontDescriptor/FontName/Brand/Flags 4/FontFile2 ${program} 0 R>>`);
      const descendant = pdf.add(
        `<</Type/Font/Subtype/CIDFontType2/BaseFont/Brand/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW ${WIDTH}/CIDToGIDMap/Identity/FontDescriptor ${descriptor} 0 R>>`,
      );
      return pdf.add(
        `<</Type/Font/Subtype/Type0/BaseFont/Brand/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${map} 0 R>>`,
      );
    };
    const fill = await prepareForTest(fieldIn(composite), layout, { flattenForms: true });
    expect(await x(fill, 'AnnŁß')).toBeCloseTo(ownX(5), 1);
    expect(await x(fill, 'Anna')).toBeGreaterThan(ownX(4) + 2);
  });
});

describe('readToUnicode', () => {
  it('[FILL129] characters and ranges: read; codes for several characters are omitted', () => {
    const cmap = `
      3 beginbfchar <0001> <0041> <0002> <00660069> <0003> <D83DDE00> endbfchar
      2 beginbfrange <0010> <0012> <0061> <0020> <0022> [<0078> <00790079> <007A>] endbfrange`;
    expect([...readToUnicode(cmap)]).toEqual([
      [1, 0x41],
      [0x10, 0x61],
      [0x11, 0x62],
      [0x12, 0x63],
      [0x20, 0x78],
      [0x22, 0x7a],
    ]);
  });
});
