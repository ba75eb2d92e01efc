import { PDF, type PdfArray, type PdfDict, PdfRef } from '@libpdf/core';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { PdfBuilder } from '../../../test/support/pdf-builder.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { MergedPdf } from './merged-pdf.ts';

/** Two pages. `annotations` receives the numbers of the pages and returns the objects of the first page's /Annots. */
async function mergedRows(
  rows: number,
  annotations: (pdf: PdfBuilder, first: number, second: number) => readonly string[],
): Promise<Uint8Array> {
  const pdf = new PdfBuilder();
  const [root, tree, first, second] = [pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.reserve()];
  const list = annotations(pdf, first, second).join(' ');
  pdf.set(first, `<</Type/Page/Parent ${tree} 0 R/Annots[${list}]>>`);
  pdf.set(second, `<</Type/Page/Parent ${tree} 0 R>>`);
  pdf.set(tree, `<</Type/Pages/Count 2/MediaBox[0 0 612 792]/Kids[${first} 0 R ${second} 0 R]>>`);
  pdf.set(root, `<</Type/Catalog/Pages ${tree} 0 R>>`);
  const { base, filler } = await prepareForTest(pdf.build(root), {}, { flattenForms: true });
  const merged = new MergedPdf(base);
  for (let row = 1; row <= rows; row += 1) merged.add(filler, row, cellsOf());
  return Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
}

/** The first page of each row: its number, and its annotations by number. */
async function rowPages(bytes: Uint8Array) {
  const { context } = await PDF.load(bytes);
  const resolved = <T>(object: unknown) => (object instanceof PdfRef ? context.resolve(object) : object) as T;
  const root = resolved<PdfDict>(context.catalog.getDict().get('Pages'));
  return [...resolved<PdfArray>(root.get('Kids'))].map((node) => {
    const page = resolved<PdfArray>(resolved<PdfDict>(node).get('Kids')).at(0) as PdfRef;
    const list = resolved<PdfArray>(resolved<PdfDict>(page).get('Annots'));
    return {
      page,
      second: resolved<PdfArray>(resolved<PdfDict>(node).get('Kids')).at(1) as PdfRef,
      refs: [...list],
      annotations: [...list].map((item) => resolved<PdfDict>(item)),
    };
  });
}

describe('annotations of a merged file', () => {
  it('[FILL114] every row: has its own annotations, whose /P is their page', async () => {
    const rows = await rowPages(
      await mergedRows(3, (pdf, first) => [
        `${pdf.add(`<</Type/Annot/Subtype/Square/Rect[0 0 9 9]/P ${first} 0 R>>`)} 0 R`,
        `${pdf.add('<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com)>>>>')} 0 R`,
        `<</Type/Annot/Subtype/Circle/Rect[0 0 9 9]/P ${first} 0 R>>`,
      ]),
    );
    expect(rows).toHaveLength(3);
    const numbers = rows.flatMap(({ refs }) => refs.filter((ref) => ref instanceof PdfRef));
    expect(new Set(numbers).size).toBe(6);
    for (const { page, annotations } of rows) {
      expect(annotations.map((annotation) => annotation.get('P'))).toEqual([page, undefined, page]);
    }
  });

  it('[FILL114] annotations that refer to each other: refer to copies of their own row', async () => {
    const rows = await rowPages(
      await mergedRows(2, (pdf, first) => {
        const [note, popup, reply] = [pdf.reserve(), pdf.reserve(), pdf.reserve()];
        const entries = `/Type/Annot/Rect[0 0 9 9]/P ${first} 0 R`;
        pdf.set(note, `<<${entries}/Subtype/Text/Contents(note)/Popup ${popup} 0 R>>`);
        pdf.set(popup, `<<${entries}/Subtype/Popup/Parent ${note} 0 R>>`);
        pdf.set(reply, `<<${entries}/Subtype/Text/Contents(reply)/IRT ${note} 0 R>>`);
        return [`${note} 0 R`, `${popup} 0 R`, `${reply} 0 R`];
      }),
    );
    expect(new Set(rows.flatMap(({ refs }) => refs)).size).toBe(6);
    for (const { refs, annotations } of rows) {
      const [note, popup, reply] = annotations;
      expect([note?.get('Popup'), popup?.get('Parent'), reply?.get('IRT')]).toEqual([
        refs[1],
        refs[0],
        refs[0],
      ]);
    }
  });

  it.each([
    [
      'after another action',
      (second: number) => `/S/URI/URI(https://x)/Next<</S/GoTo/D[${second} 0 R/Fit]>>`,
    ],
    [
      'as one of several that follow',
      (second: number) => `/S/URI/URI(https://x)/Next[<</S/Named/N/Print>><</S/GoTo/D[${second} 0 R/Fit]>>]`,
    ],
    [
      'two actions later',
      (second: number) =>
        `/S/URI/URI(https://x)/Next<</S/URI/URI(https://y)/Next<</S/GoTo/D[${second} 0 R/Fit]>>>>`,
    ],
  ])('[FILL114] links that lead to a page %s: lead to the page of their row', async (_, action) => {
    const bytes = await mergedRows(2, (pdf, _first, second) => [
      `${pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${action(second)}>>>>`)} 0 R`,
    ]);
    // Numbers are in fields of fixed width.
    const text = Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/(?<=[\n[]) +/g, '');
    for (const { second, refs } of await rowPages(bytes)) {
      const body = text.split(`\n${(refs[0] as PdfRef).objectNumber} 0 obj\n`)[1]?.split('\nendobj')[0] ?? '';
      expect(body).toContain(`/D [${second.objectNumber} 0 R /Fit]`);
    }
  });

  it('[FILL114] annotations with cyclic actions: unchanged', async () => {
    const bytes = await mergedRows(2, (pdf) => {
      const action = pdf.reserve();
      pdf.set(action, `<</S/URI/URI(https://x)/Next[${`${action} 0 R `.repeat(3)}]>>`);
      return [`${pdf.add(`<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A ${action} 0 R>>`)} 0 R`];
    });
    const rows = await rowPages(bytes);
    expect(new Set(rows.map(({ annotations }) => annotations[0]?.get('A'))).size).toBe(1);
  });
});
