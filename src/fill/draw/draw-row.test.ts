import { describe, expect, it } from 'vitest';
import { bundledKit, drawingBench } from '../../../test/support/drawn-row-pdf.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { FontInvalid } from '../fonts/sfnt.ts';

const box = { page: 1, x: 20, y: 20, width: 200, height: 30 };
const content = (drawing: { slots: readonly { content: Uint8Array }[] }, slot = 0) =>
  new TextDecoder('latin1').decode(drawing.slots[slot]?.content);

describe('a drawn row', () => {
  it('[FILL73] a check mark: ticked, cleared or skipped by its value', async () => {
    const bench = await drawingBench([
      { id: 'c', type: 'check', ...box, value: { column: 'column_0' }, on_value: 'Male', mark: 'cross' },
    ]);
    for (const tick of ['yes', 'X', '1', 'Male'])
      expect(content(bench.draw(tick))).toMatch(/ cm\n.* m [\s\S]*h\nf\n/);
    for (const clear of ['', 'no', '0']) {
      expect(bench.draw(clear)).toMatchObject({ applied: 1, skipped: 0 });
      expect(content(bench.draw(clear))).toBe('');
    }
    expect(bench.draw('perhaps')).toMatchObject({
      applied: 0,
      skipped: 1,
      warnings: [{ code: 'OPTION_UNKNOWN', overlay_id: 'c' }],
    });
  });

  it('[FILL73] an on_value that is an untick word: draws the mark', async () => {
    const bench = await drawingBench([
      { id: 'c', type: 'check', ...box, value: { column: 'column_0' }, on_value: 'No' },
    ]);
    for (const tick of ['No', ' no ', 'yes']) expect(content(bench.draw(tick)), tick).toMatch(/h\nf\n/);
    for (const clear of ['n', '']) expect(content(bench.draw(clear)), clear).toBe('');
  });

  it('[FILL74] a signature: drawn as a picture or a typed name', async () => {
    const bench = await drawingBench([{ id: 's', type: 'signature', ...box, value: { column: 'column_0' } }]);
    const [page] = await readPdf(bench.pdf('Ada Lovelace'));
    expect(page?.texts.map(({ text }) => text).join('')).toBe('Ada Lovelace');
    expect(bench.draw('assets/none.png')).toMatchObject({
      skipped: 1,
      warnings: [{ code: 'IMAGE_MISSING' }],
    });
    expect(bench.draw('')).toMatchObject({ applied: 1, skipped: 0 });
  });

  it('[FILL75] stickers: drawn and counted only if they are included', async () => {
    const overlays = [{ id: 's', type: 'sticker' as const, ...box, label: 'Sign here' }];
    const without = await drawingBench(overlays);
    expect(without.draw()).toMatchObject({ applied: 0, skipped: 0, slots: [] });
    expect(without.baseObjects).toEqual([]);
    const bench = await drawingBench(overlays, { includeStickers: true });
    expect(bench.draw()).toMatchObject({ applied: 1, skipped: 0 });
    const [page] = await readPdf(bench.pdf());
    expect(page?.texts.map(({ text }) => text).join('')).toBe('Sign here');
  });

  it('[FILL76] a row above a work limit: fails; a row at the limit does not', async () => {
    const text = {
      type: 'text' as const,
      ...box,
      value: { column: 'column_0' },
      size: 1,
      fit: 'clip' as const,
    };
    const many = await drawingBench(Array.from({ length: 30 }, (_, index) => ({ ...text, id: `t${index}` })));
    expect(many.draw('x'.repeat(6000)).error).toBeNull();
    const drawing = many.draw('x'.repeat(7000));
    expect(drawing.error).toEqual({
      code: 'ROW_TOO_COMPLEX',
      message: 'The row asks for more than 200000 glyphs.',
    });
    expect(drawing).toMatchObject({ slots: [], objects: [], applied: 0, skipped: 0 });
    const codes = await drawingBench(
      Array.from({ length: 6 }, (_, index) => ({
        ...box,
        id: `b${index}`,
        type: 'barcode' as const,
        symbology: 'pdf417' as const,
        value: { column: 'column_0' },
      })),
    );
    expect(codes.draw('1'.repeat(2000)).error?.code).toBe('ROW_TOO_COMPLEX');
  });

  it('[FILL78] an overlay on a page that the source does not have: skipped', async () => {
    const bench = await drawingBench(
      [
        { id: 'here', type: 'text', ...box, value: { static: 'one' } },
        { id: 'there', type: 'text', ...box, page: 3, value: { static: 'three' } },
        { id: 'nowhere', type: 'text', ...box, page: 4, value: { static: 'four' } },
      ],
      { pages: 3 },
    );
    const drawing = bench.draw();
    expect(drawing).toMatchObject({ applied: 2, skipped: 1 });
    expect(drawing.slots.map(({ page }) => page)).toEqual([1, 3]);
    expect(drawing.warnings).toEqual([
      { code: 'PAGE_MISSING', message: 'The PDF has no page 4.', overlay_id: 'nowhere' },
    ]);
    const pages = await readPdf(bench.pdf());
    expect(pages.map((page) => page.texts.map(({ text }) => text).join(''))).toEqual(['one', '', 'three']);
  });

  it('[FILL5] a hidden overlay: counts as applied', async () => {
    const bench = await drawingBench([
      {
        id: 't',
        type: 'text',
        ...box,
        value: { static: 'shown' },
        show_if: { column: 'column_0', equals: 'yes' },
      },
    ]);
    expect(bench.draw('no')).toMatchObject({ applied: 1, skipped: 0 });
    expect(content(bench.draw('no'))).toBe('');
    expect(content(bench.draw('yes'))).toContain('Tj');
  });

  it('[FILL80] a font of the package: used for text, and rejected if the file is not a font', async () => {
    const kit = await bundledKit();
    const file = kit.face('fonts/tinos/Tinos_700Bold.ttf')?.font.bytes;
    if (file === undefined) throw new Error('the bundled face is not installed');
    const overlays = [
      { id: 't', type: 'text' as const, ...box, font: 'Corporate', value: { column: 'column_0' } },
    ];
    const fonts = [{ name: 'Corporate', regular: 'assets/corporate.ttf' }];
    const bench = await drawingBench(overlays, { assets: new Map([['assets/corporate.ttf', file]]) }, fonts);
    const [page] = await readPdf(bench.pdf('Łódź Ω 漢'.slice(0, 6)));
    expect(page?.texts.map(({ text }) => text).join('')).toBe('Łódź Ω');
    for (const bad of [new Uint8Array(), new TextEncoder().encode('not a font'), file.subarray(0, 5000)]) {
      const assets = new Map([['assets/corporate.ttf', bad]]);
      await expect(drawingBench(overlays, { assets }, fonts)).rejects.toThrow(FontInvalid);
    }
  });

  it('[FILL79] a display list: available as data', async () => {
    const bench = await drawingBench([
      { id: 't', type: 'text', ...box, value: { column: 'column_0' } },
      { id: 'q', type: 'qr', ...box, value: { column: 'column_0' } },
    ]);
    const [page] = bench.drawer.layOut(new Map([['column_0', 'Ada']])).pages;
    expect(page?.page).toBe(1);
    expect(page?.items.map(({ kind, overlayId }) => `${kind} ${overlayId}`)).toEqual(['text t', 'code q']);
  });
});
