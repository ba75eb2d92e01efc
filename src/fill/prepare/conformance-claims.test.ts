import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { PdfBuilder } from '../../../test/support/pdf-builder.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { MergedPdf } from '../merge/merged-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { withoutProperties } from './conformance-claims.ts';

const PDF_A = 'http://www.aiim.org/pdfa/ns/id/';
const elements = `<rdf:Description rdf:about="" xmlns:pdfaid="${PDF_A}"><pdfaid:part>2</pdfaid:part>
  <pdfaid:conformance>B</pdfaid:conformance></rdf:Description>`;
const ua =
  '<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>';
const title =
  '<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Contract</dc:title></rdf:Description>';
const packet = (...descriptions: string[]) =>
  `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${descriptions.join('')}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

function withMetadata(xmp: string | Uint8Array): Uint8Array {
  const pdf = new PdfBuilder();
  const [root, tree] = [pdf.reserve(), pdf.reserve()];
  const metadata = pdf.add(
    '<</Type/Metadata/Subtype/XML>>',
    typeof xmp === 'string' ? Buffer.from(xmp) : xmp,
  );
  const page = pdf.add(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 612 792]>>`);
  pdf.set(tree, `<</Type/Pages/Count 1/Kids[${page} 0 R]>>`);
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R/Metadata ${metadata} 0 R>>`);
  return pdf.build(root);
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

describe('claims of conformance', () => {
  it('[FILL116] a filled row: does not claim PDF/A and keeps all other metadata', async () => {
    const fill = await prepareForTest(withMetadata(packet(elements, ua, title)), {});
    const row = text(fill.pdf('x'));
    expect(row).not.toMatch(/pdfaid:(part|conformance)/);
    expect(row).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(row).toContain('<dc:title>Contract</dc:title>');
    expect(await pageTexts(fill.pdf('x'))).toEqual(['']);
  });

  it('[FILL116] a flattened row and a merged file: claim neither PDF/A nor PDF/UA', async () => {
    const source = withMetadata(packet(elements, ua, title));
    const { base, filler, pdf } = await prepareForTest(source, {}, { flattenForms: true });
    const merged = new MergedPdf(base);
    merged.add(filler, 1, cellsOf('x'));
    const whole = Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
    for (const bytes of [pdf('x'), whole]) {
      expect(text(bytes)).not.toMatch(/pdfu?aid:(part|conformance)/);
      expect(text(bytes)).toContain('<dc:title>Contract</dc:title>');
    }
  });

  it('[FILL116] metadata without a claim, readable or not: unchanged', async () => {
    for (const xmp of [packet(title), Buffer.from('\xff\xfenot UTF-8\x80', 'latin1')]) {
      const fill = await prepareForTest(withMetadata(xmp), {}, { flattenForms: true });
      expect(Buffer.from(fill.base.bytes).includes(Buffer.from(xmp))).toBe(true);
    }
  });

  it.each([
    [
      `<r:D xmlns:a="${PDF_A}" a:part="1" a:conformance='B' b:part="1"/>`,
      `<r:D xmlns:a="${PDF_A}" b:part="1"/>`,
    ],
    [
      `<r:D xmlns:a='${PDF_A}'><a:part >1</a:part ><a:amd/><c>1</c></r:D>`,
      `<r:D xmlns:a='${PDF_A}'><c>1</c></r:D>`,
    ],
    ['<r:D xmlns:pdfaid="urn:other" pdfaid:part="1"/>', '<r:D xmlns:pdfaid="urn:other" pdfaid:part="1"/>'],
  ])('[FILL116] a claim written as %s: found by its namespace', (xmp, kept) => {
    expect(withoutProperties(xmp, PDF_A)).toBe(kept);
  });
});
