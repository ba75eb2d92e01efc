import { describe, expect, it } from 'vitest';
import { bundledKit } from '../../../test/support/drawn-row-pdf.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { PdfBuilder } from '../../../test/support/pdf-builder.ts';
import { planOf, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts, readPdf } from '../../../test/support/read-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { prepareFill } from '../prepare-fill.ts';

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const overlay = {
  id: 'a',
  type: 'text',
  page: 1,
  x: 100,
  y: 50,
  width: 200,
  height: 20,
  value: { column: 'column_0' },
} as const;

async function refusal(source: Uint8Array, maxPages?: number) {
  return prepareFill(
    source,
    planOf({ overlays: [overlay] }),
    { fonts: await bundledKit(), codec: nativeCodec },
    maxPages,
  );
}

describe('prepare', () => {
  it('[FILL41] any base: has one classic cross-reference table and no object streams', async () => {
    const { base } = await prepareForTest(pagesPdf([{}]), { overlays: [overlay] });
    const text = latin1(base.bytes);
    expect(text).not.toMatch(/\/ObjStm|\/XRef\b/);
    expect(text.match(/^startxref$/gm)).toHaveLength(1);
    expect(text.slice(base.facts.startXref, base.facts.startXref + 5)).toBe('xref\n');
  });

  it('[FILL42] a page with inherited attributes: contains them and keeps its content', async () => {
    const source = pagesPdf([{}, { entries: '/MediaBox[0 0 300 400]' }], '/MediaBox[0 0 500 700]/Rotate 90');
    const { pdf, base } = await prepareForTest(source, { overlays: [overlay] });
    expect(base.facts.pages).toEqual([
      { width: 700, height: 500 },
      { width: 400, height: 300 },
    ]);
    const pages = await readPdf(pdf('Hello'));
    expect(pages.map(({ width, height }) => [width, height])).toEqual([
      [700, 500],
      [400, 300],
    ]);
    expect(pages[0]?.texts.map(({ text }) => text)).toEqual(['ORIGINAL', 'Hello']);
    expect(pages[1]?.texts.map(({ text }) => text)).toEqual(['ORIGINAL']);
  });

  it('[FILL43] a page that changes the graphics state: rows are drawn in the initial state', async () => {
    const untidy =
      'q 3 0 0 3 50 50 cm Q Q q 0.1 0 0 0.1 0 0 cm BT /F1 12 Tf 1 0 0 rg 300 300 Td (ORIGINAL) Tj';
    const { pdf } = await prepareForTest(pagesPdf([{ content: untidy }]), { overlays: [overlay] });
    const [page] = await readPdf(pdf('Hello'));
    const hello = page?.texts.find(({ text }) => text === 'Hello');
    expect(hello?.x).toBeCloseTo(100, 1);
    expect(hello?.y).toBeGreaterThan(50);
    expect(hello?.y).toBeLessThan(70);
  });

  it('[FILL44] scripts, launch actions and actions on opening: removed', async () => {
    const catalog =
      '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/AA<</WC<</S/JavaScript/JS(x)>>>>' +
      '/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(y)>>]>>>>';
    const annotations =
      '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(calc.exe)>>>>' +
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.test)/Next<</S/JavaScript/JS(z)>>>>>>]/AA<</O<</S/JavaScript/JS(w)>>>>';
    const { base } = await prepareForTest(pagesPdf([{ entries: annotations }], undefined, catalog), {
      overlays: [overlay],
    });
    const text = latin1(base.bytes);
    expect(text).not.toMatch(/JavaScript|\/JS\b|Launch|calc|OpenAction|\/AA\b/);
    expect(text).toContain('/S /URI');
  });

  it('[FILL45] a source that cannot be filled: rejected with a code', async () => {
    expect(await refusal(Buffer.from('hello'))).toMatchObject({ ok: false, code: 'PDF_INVALID' });
    expect(await refusal(Buffer.from('%PDF-1.7\nnothing else'))).toMatchObject({
      ok: false,
      code: 'PDF_INVALID',
    });
    expect(await refusal(pagesPdf([{}, {}, {}]), 2)).toMatchObject({ ok: false, code: 'PDF_TOO_MANY_PAGES' });
    const pdf = new PdfBuilder();
    const tree = pdf.reserve();
    pdf.set(tree, `<</Type/Pages/Count 1/Kids[${tree} 0 R]>>`);
    expect(await refusal(pdf.build(pdf.add(`<</Type/Catalog/Pages ${tree} 0 R>>`)))).toMatchObject({
      ok: false,
      code: 'PDF_INVALID',
    });
  });

  it('[FILL45] a truncated file: rejected, unless it has everything that its pages need', async () => {
    const source = pagesPdf([{}, {}]);
    const text = latin1(source);
    const objectsEnd = text.lastIndexOf('endobj') + 'endobj'.length;
    const cut = [];
    for (let end = text.indexOf('/Catalog'); end < objectsEnd; end += 13) cut.push(end);
    expect(cut.length).toBeGreaterThan(10);
    for (const end of cut)
      expect(await refusal(source.subarray(0, end)), `cut at ${end}`).toMatchObject({
        ok: false,
        code: 'PDF_INVALID',
      });
    for (const end of [objectsEnd, text.indexOf('trailer'), text.indexOf('startxref')])
      expect(await refusal(source.subarray(0, end)), `cut at ${end}`).toMatchObject({ ok: true });
  });

  it('[FILL45] a file with a wrong cross-reference table: read', async () => {
    const source = latin1(pagesPdf([{}]));
    const lying = source.replace(
      /^(\d{10})( 00000 n )$/gm,
      (_, offset, rest) => `${String(Number(offset) + 7).padStart(10, '0')}${rest}`,
    );
    expect(lying).not.toBe(source);
    const { pdf } = await prepareForTest(Buffer.from(lying, 'latin1'), { overlays: [overlay] });
    expect((await pageTexts(pdf('Hello')))[0]).toBe('ORIGINAL Hello');
  });

  it('[FILL1] the same source and row: the same bytes; another row has another /ID', async () => {
    const first = await prepareForTest(pagesPdf([{}]), { overlays: [overlay] });
    const second = await prepareForTest(pagesPdf([{}]), { overlays: [overlay] });
    first.pdf('a neighbour');
    expect(Buffer.from(first.pdf('x')).equals(second.pdf('x'))).toBe(true);
    const id = (bytes: Uint8Array) =>
      latin1(bytes)
        .match(/\/ID\[<\w+><\w+>\]/g)
        ?.at(-1);
    expect(id(first.pdf('x'))).not.toBe(id(first.pdf('y')));
  });

  it('a page that is listed twice: becomes two pages', async () => {
    const pdf = new PdfBuilder();
    const tree = pdf.reserve();
    const page = pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 200 200]/Resources<<>>>>`);
    pdf.set(tree, `<</Type/Pages/Count 2/Kids[${page} 0 R ${page} 0 R]>>`);
    const { base } = await prepareForTest(pdf.build(pdf.add(`<</Type/Catalog/Pages ${tree} 0 R>>`)), {
      overlays: [overlay],
    });
    expect(new Set(base.facts.pageNumbers).size).toBe(2);
  });
});
