import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { box, layoutOf } from '../../../test/support/fill-cli.ts';
import { pagesPdf } from '../../../test/support/page-sources.ts';
import { prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts } from '../../../test/support/read-pdf.ts';
import { nativeCodec } from '../node/native-codec.ts';
import { readSheet } from '../sheet/read-sheet.ts';
import { ByteSink } from '../write/byte-sink.ts';
import { MergedPdf } from './merged-pdf.ts';

const grid = { width: 600, height: 800, columns: 2, rows: 2, margin_left: 0, margin_top: 0 };
const sheet = readSheet({ ...grid, pitch_x: 300, pitch_y: 400 });
const onPage = (page: number) =>
  layoutOf([{ id: 'name', type: 'text', ...box, page, value: { column: 'column_0' } }]);
const options = { flattenForms: true, output: 'merged', sheet } as const;

async function sheetsOf(source: Uint8Array, page: number, names: readonly string[]): Promise<Uint8Array> {
  const { base, filler } = await prepareForTest(source, onPage(page), options);
  const merged = new MergedPdf(base, { sheet });
  for (const [index, name] of names.entries()) merged.add(filler, index + 1, cellsOf(name));
  return Buffer.concat([merged.base, ...merged.finish(nativeCodec)]);
}

describe('sheets of a merged PDF', () => {
  it('[FILL242] page 1 without overlays: is on every label', async () => {
    const texts = await pageTexts(await sheetsOf(pagesPdf([{}, {}]), 2, ['Ada', 'Bea', 'Cy', 'Dan', 'Eve']));
    expect(texts.map((text) => text.match(/ORIGINAL/g)?.length)).toEqual([4, 1]);
    expect(texts.join()).not.toContain('Ada');
  });

  it('[FILL242] sheets of a sheet: names of the source are not replaced', async () => {
    const first = await sheetsOf(pagesPdf([{}]), 1, ['Ada', 'Bea']);
    const [text = ''] = await pageTexts(await sheetsOf(first, 1, ['Cy', 'Dan']));
    for (const [name, times] of Object.entries({ Ada: 2, Bea: 2, Cy: 1, Dan: 1, ORIGINAL: 4 }))
      expect(text.split(name), name).toHaveLength(times + 1);
  });

  it('[FILL240] [FILL242] a row on another sheet: the same bytes', async () => {
    const bytesOn = async (other: typeof sheet) => {
      const { filler } = await prepareForTest(pagesPdf([{}]), onPage(1), { ...options, sheet: other });
      const sink = new ByteSink();
      const { fragment } = filler.fillInto(sink, 7, cellsOf('Ada'));
      return [Buffer.from(sink.copy()).toString('latin1'), fragment];
    };
    const bytes = await bytesOn(sheet);
    expect(await bytesOn(readSheet({ preset: 'avery-l7160', skip: 4, marks: true }))).toEqual(bytes);
    expect(bytes[0]).not.toContain('/Type/Page');
  });
});
