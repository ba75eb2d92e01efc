import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { MergedPdf } from './merged-pdf.ts';

function merge({ base, filler }: PreparedFill, rows: readonly string[][]): Uint8Array {
  const merged = new MergedPdf(base);
  const parts: Uint8Array[] = [merged.base];
  rows.forEach((values, index) => {
    merged.add(filler, index + 1, cellsOf(...values));
    if (index % 2 === 0) parts.push(merged.take());
  });
  parts.push(merged.finish(nativeCodec.sha256Hex));
  return Buffer.concat(parts);
}

describe('merging', () => {
  it('[FILL54] holds the pages of every row, shares what rows share, and names each in a bookmark', async () => {
    const fill = await prepareForTest(pagesPdf([{}, {}]), {
      overlays: [
        {
          id: 'a',
          type: 'text',
          page: 1,
          x: 72,
          y: 72,
          width: 300,
          height: 20,
          value: { column: 'column_0' },
        },
        {
          id: 'b',
          type: 'text',
          page: 2,
          x: 72,
          y: 72,
          width: 300,
          height: 20,
          value: { template: 'second {{column_0}}' },
        },
      ],
    });
    const bytes = merge(fill, [['Ann'], ['Żółć'], ['Ωμέγα']]);
    const texts = await pageTexts(bytes);
    expect(texts.map((text) => text.replace(/ +/g, ' '))).toEqual([
      'ORIGINAL Ann',
      'ORIGINAL second Ann',
      'ORIGINAL Żółć',
      'ORIGINAL second Żółć',
      'ORIGINAL Ωμέγα',
      'ORIGINAL second Ωμέγα',
    ]);
    const text = Buffer.from(bytes).toString('latin1');
    expect(text.match(/\/Title </g)).toHaveLength(3);
    expect(text).toContain('/PageMode/UseOutlines');
    expect(bytes.length).toBeLessThan(fill.base.bytes.length + 60_000);
  });

  it.each([
    ['/Lang(en-US)', '/Lang <656e2d5553>'],
    ['/PageLayout/SinglePage/Lang(en)', '/Lang <656e>/PageLayout /SinglePage'],
    ['/ViewerPreferences<</DisplayDocTitle true>>', '/ViewerPreferences <</DisplayDocTitle true>>'],
  ])('[FILL54] keeps what the catalog says of the whole document: %s', async (catalog, kept) => {
    const fill = await prepareForTest(pagesPdf([{}], undefined, catalog), {});
    const root =
      Buffer.from(merge(fill, [['x']]))
        .toString('latin1')
        .split('/Type/Catalog')
        .at(-1) ?? '';
    expect(root.split('endobj')[0]).toMatch(
      new RegExp(`^/Pages \\d+ 0 R${kept}/Outlines \\d+ 0 R/PageMode/UseOutlines>>\\n$`),
    );
  });

  it('[FILL54] holds flattened field values, and no row that failed', async () => {
    const fill = await prepareForTest(
      formPdf(),
      { form_fields: [{ id: 'n', field: 'employee.name', value: { column: 'column_0' } }] },
      { flattenForms: true },
    );
    const texts = await pageTexts(merge(fill, [['First'], ['x'.repeat(10_001)], ['Third']]));
    expect(texts).toHaveLength(2);
    expect(texts[0]).toContain('First');
    expect(texts[1]).toContain('Third');
  });
});
