import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { formPdf } from '../../../test/support/form-source.ts';
import { linkedPdf, linksOfRows } from '../../../test/support/linked-source.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts, readLinks } from '../../../test/support/read-pdf.ts';
import { quartersJpeg, turnedJpeg } from '../../../test/support/small-jpeg.ts';
import { jobAssetsOf } from '../draw/images/job-assets.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { MergedPdf } from './merged-pdf.ts';
import { MergedTooLarge } from './place-fragment.ts';

function merge({ base, filler }: PreparedFill, rows: readonly string[][]): Uint8Array {
  const merged = new MergedPdf(base);
  const parts: Uint8Array[] = [merged.base];
  rows.forEach((values, index) => {
    merged.add(filler, index + 1, cellsOf(...values));
    if (index % 2 === 0) parts.push(merged.take());
  });
  parts.push(...merged.finish(nativeCodec));
  return Buffer.concat(parts);
}

describe('merging', () => {
  it('[FILL144] a picture that many rows show, under any name: in the file once', async () => {
    const box = { page: 1, x: 72, width: 100, height: 100 };
    const jobAssets = jobAssetsOf(
      new Map([
        ['a.jpg', quartersJpeg],
        ['same.jpg', quartersJpeg],
        ['b.jpg', turnedJpeg(quartersJpeg, 6)],
      ]),
    );
    const fill = await prepareForTest(
      pagesPdf([{}]),
      {
        overlays: [{ ...box, id: 'p', type: 'image', y: 72, value: { column: 'column_0' } }],
      },
      {},
      { jobAssets },
    );
    const bytes = merge(fill, [['a.jpg'], ['same.jpg'], ['b.jpg'], ['a.jpg']]);
    const text = Buffer.from(bytes).toString('latin1');
    expect(await pageTexts(bytes)).toHaveLength(4);
    const pictures = [...text.matchAll(/(\d+) 0 obj\n<< \/Length \d+ \/Type\/XObject\/Subtype\/Image/g)].map(
      ([, num]) => num,
    );
    expect(pictures).toHaveLength(2);
    const used = [...text.matchAll(/\/J0 +(\d+) 0 R/g)].map(([, num]) => num);
    expect(used).toEqual([pictures[0], pictures[0], pictures[1], pictures[0]]);
  });

  it('[FILL54] all rows: the file has their pages, shared content once, and one bookmark per row', async () => {
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
  ])('[FILL54] catalog entries for the whole document: kept (%s)', async (catalog, kept) => {
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

  it('[FILL54] flattened fields and a failed row: the values are shown, the row is omitted', async () => {
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

describe('a merged file of 10 GB', () => {
  /** A base that reports a larger length than it has, so that offsets are large without storing the bytes. */
  async function mergedAfter(length: number) {
    const { base, filler } = await prepareForTest(pagesPdf([{}]), {});
    const bytes = base.bytes.slice();
    Object.defineProperty(bytes, 'length', { value: length });
    return { merged: new MergedPdf({ ...base, bytes }), filler };
  }

  it('[FILL115] offsets of ten digits: written in full', async () => {
    const { merged, filler } = await mergedAfter(9_999_990_000);
    expect(merged.add(filler, 1, cellsOf('a'))).toBe(true);
    const text = Buffer.concat([...merged.finish(nativeCodec)]).toString('latin1');
    const table = text.slice(text.indexOf('xref\n'), text.indexOf('trailer'));
    const lines = table.split('\n').filter((line) => line.endsWith(' n '));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(line).toMatch(/^99999\d{5} 00000 n $/);
    expect(text).toContain(`startxref\n${9_999_990_000 + text.indexOf('xref\n')}\n`);
  });

  it('[FILL115] an object beyond ten digits: rejected before it is written', async () => {
    const { merged, filler } = await mergedAfter(9_999_999_999);
    merged.take();
    expect(() => {
      for (let row = 1; row <= 3; row += 1) merged.add(filler, row, cellsOf('a'));
    }).toThrow(MergedTooLarge);
    const measured = await mergedAfter(1_000_000);
    measured.merged.add(measured.filler, 1, cellsOf('a'));
    const other = await mergedAfter(10_000_000_000 - measured.merged.take().length);
    expect(other.merged.add(other.filler, 1, cellsOf('a'))).toBe(true);
    expect(() => [...other.merged.finish(nativeCodec)]).toThrow(
      'The merged PDF would be larger than 10 GB. Merge fewer rows at a time.',
    );
  });
});

describe('links in a merged file', () => {
  it('[FILL54] links between pages in any form: lead to pages of the same row', async () => {
    const source = linkedPdf();
    expect(await readLinks(source.bytes)).toEqual(source.links);
    const fill = await prepareForTest(source.bytes, {});
    expect(await readLinks(merge(fill, [['a'], ['b'], ['c']]))).toEqual(linksOfRows(source, 3));
  });

  it('[FILL54] links by name in a cyclic name tree: resolved', async () => {
    const source = linkedPdf('in a circle');
    const fill = await prepareForTest(source.bytes, {});
    expect(await readLinks(merge(fill, [['a'], ['b']]))).toEqual(linksOfRows(source, 2));
  });

  it('[FILL54] links and other annotations: copied for each row, and refer to their page', async () => {
    const fill = await prepareForTest(linkedPdf().bytes, {});
    const merged = Buffer.from(merge(fill, [['a'], ['b']])).toString('latin1');
    const added = merged.slice(fill.base.bytes.length);
    const bodies = new Map(
      [...added.matchAll(/(\d+) 0 obj\n(.*)\nendobj/g)].map(([, num, body]) => [num, body]),
    );
    const copies = [...bodies].filter(([, body]) => body?.includes('/Type /Annot'));
    expect(copies).toHaveLength(2 * 11);
    expect(added).not.toMatch(/StructParent|\/SD/);
    const named = copies.filter(([, body]) => body?.includes('/P '));
    expect(named).toHaveLength(2 * 3);
    for (const [num, body] of named) {
      const page = bodies.get(/\/P +(\d+) 0 R/.exec(body ?? '')?.[1]);
      expect(page).toMatch(new RegExp(`/Type /Page/.*/Annots \\[(.* )?${num} 0 R[ \\]]`));
    }
  });

  it('[FILL54] links and other annotations with parents: keep them', async () => {
    const popup = '<</Subtype/Popup/Rect[0 0 9 9]/Parent 5 0 R>>';
    const fill = await prepareForTest(pagesPdf([{ entries: `/Annots[${popup}]` }]), {});
    const [base, ...copies] = Buffer.from(merge(fill, [['a'], ['b']]))
      .toString('latin1')
      .match(/\/Subtype \/Popup.*?\/Parent \d+ 0 R/g) as string[];
    expect(copies).toEqual([base, base]);
  });

  const many = Array.from({ length: 50_000 }, (_, index) => `(n${index})[3 0 R/Fit]`).join('');
  const page = '/Annots[<</Subtype/Link/Rect[0 0 9 9]';
  it.each([
    ['an unknown name', '/Dest(other)', '/Names<</Dests<</Names[(name)[5 0 R/Fit]]>>>>'],
    ['a name that refers to itself', '/Dest(name)', '/Names<</Dests<</Names[(name)(name)]>>>>'],
    ['names without values', '/Dest(name)', '/Names<</Dests<</Names[(other)[5 0 R/Fit](name)]>>>>'],
    ['invalid names', '/Dest(name)', '/Names<</Dests<</Names[name 1 null[](name)null]>>>>'],
    ['an invalid name tree', '/Dest(name)', '/Names<</Dests[(name)[5 0 R/Fit]]>>/Dests 5 0 R'],
    ['a cyclic tree in the catalog', '/Dest(name)', '/Names 1 0 R/Kids[1 0 R]/Dests 1 0 R'],
    ['a missing page', '/Dest[99 0 R/Fit]', ''],
    ['an object that is not a page', '/Dest[1 0 R/Fit]', ''],
    ['a page number beyond the last', '/Dest[1/Fit]', ''],
    ['an invalid page number', '/Dest[-1/Fit]', ''],
    ['nothing', '/Dest[]', ''],
    ['an invalid first member', '/A<</S/GoTo/D[[5 0 R]/Fit]>>', ''],
    ['invalid other members', '/Dest[5 0 R/Fit<</A[5 0 R]>>[5 0 R](x)]', ''],
    ['too many members', '/Dest[5 0 R/XYZ 1 2 3 4 5 6 7]', ''],
    ['an action of another kind', '/A<</S/GoToR/F(a.pdf)/D[0/Fit]>>', ''],
    ['an invalid action', '/A 5 0 R', ''],
    ['a number', '/Dest 7', ''],
  ])('[FILL54] a link with %s: unchanged', async (_, entries, catalog) => {
    const fill = await prepareForTest(
      pagesPdf([{ entries: `${page}${entries}>>]` }], undefined, catalog),
      {},
    );
    const added = Buffer.from(merge(fill, [['a'], ['b']])).subarray(fill.base.bytes.length);
    const body = /\/Annots (\[<<.*>>\])/;
    const before = body.exec(Buffer.from(fill.base.bytes).toString('latin1'))?.[1];
    expect(before).toContain('/Subtype /Link');
    expect(added.toString('latin1').split(`/Annots ${before}`)).toHaveLength(3);
  });

  it('[FILL54] links by name in a large tree with invalid kids: resolved', async () => {
    const catalog = `/Names<</Dests<</Names[${many}(last)[5 0 R/Fit]]/Kids[2 0 R 1 0 R]>>>>`;
    const source = pagesPdf([{}, { entries: `${page}/Dest(last)>>]` }], undefined, catalog);
    const fill = await prepareForTest(source, {});
    expect(await readLinks(merge(fill, [['a'], ['b']]))).toEqual([[], [0], [], [2]]);
  });
});
