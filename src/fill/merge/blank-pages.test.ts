import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { box, layoutOf } from '../../../test/support/fill-cli.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import type { Arrangement } from './merged-ending.ts';
import { MergedPdf } from './merged-pdf.ts';

const layout = layoutOf([{ id: 'a', type: 'text', ...box, value: { column: 'column_0' } }]);

function merge({ base, filler }: PreparedFill, names: readonly string[], arrangement?: Arrangement) {
  const merged = new MergedPdf(base, arrangement);
  const firstPages = names.map((name, index) => {
    const page = merged.nextPage;
    return merged.add(filler, index + 1, cellsOf(name)) ? page : null;
  });
  const rows = merged.take();
  const pdf = Buffer.concat([merged.base, rows, ...merged.finish(nativeCodec)]);
  return { pdf, rows, firstPages, pageCount: merged.pageCount, text: pdf.toString('latin1') };
}

const TOO_LONG = 'x'.repeat(10_001);

describe('blank pages', () => {
  it('[FILL300] [FILL301] an odd number of pages: a blank page after every document, none after a failed row', async () => {
    const fill = await prepareForTest(pagesPdf([{}, {}, {}]), layout);
    const { pdf, firstPages, pageCount } = merge(fill, ['Ann', TOO_LONG, 'Bob'], { duplex: true });
    expect([firstPages, pageCount]).toEqual([[1, null, 5], 8]);
    expect((await pageTexts(pdf)).map((text) => text.replace(/ +/g, ' '))).toEqual([
      ...['ORIGINAL Ann', 'ORIGINAL', 'ORIGINAL', ''],
      ...['ORIGINAL Bob', 'ORIGINAL', 'ORIGINAL', ''],
    ]);
  });

  it('[FILL300] [FILL302] an even number of pages: the bytes without blank pages', async () => {
    const fill = await prepareForTest(pagesPdf([{}, {}]), layout);
    const plain = merge(fill, ['Ann', 'Bob']);
    expect(merge(fill, ['Ann', 'Bob'], { duplex: true }).pdf.equals(plain.pdf)).toBe(true);
  });

  it('[FILL302] an odd number of pages: the rows have the bytes that they have without blank pages', async () => {
    const fill = await prepareForTest(pagesPdf([{}]), layout);
    const [plain, duplex] = [merge(fill, ['Ann', 'Bob']), merge(fill, ['Ann', 'Bob'], { duplex: true })];
    expect(duplex.rows).toEqual(plain.rows);
    expect([plain.pageCount, duplex.pageCount]).toEqual([2, 4]);
  });

  it('[FILL301] boxes, rotation and user unit: those of the last page', async () => {
    const size = '/MediaBox[0 0 400 300]/CropBox[10 20 390 280]/TrimBox[20 30 380 270]/Rotate 90/UserUnit 2';
    const fill = await prepareForTest(pagesPdf([{}, {}, { entries: size }]), layout);
    const { text } = merge(fill, ['Ann', 'Bob'], { duplex: true });
    const blank = /<<\/Type\/Page\/Parent \d+ 0 R(.*)\/Resources<<>>>>/g;
    const entries =
      '/MediaBox [0 0 400 300]/CropBox [10 20 390 280]/TrimBox [20 30 380 270]/Rotate 90/UserUnit 2';
    expect([...text.matchAll(blank)].map(([, found]) => found)).toEqual([entries, entries]);
  });
});
