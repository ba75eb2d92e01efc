import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedBaseFace, openBaseFace } from '#fill/fonts/base-face.ts';
import { BUILT_IN_FAMILIES } from '#fill/fonts/bundled-faces.ts';
import { ObjectNumbers } from '#fill/write/tail-object.ts';
import { bundledKit, drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { readPdf } from '../../../../test/support/read-pdf.ts';
import type { TextItem } from '../display-list.ts';
import { setSimpleLine, setText } from './set-text.ts';

const text = (extra: object = {}) => ({
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 100,
  y: 200,
  width: 200,
  height: 40,
  value: { column: 'column_0' },
  size: 20,
  ...extra,
});

async function item(value: string, extra: object = {}): Promise<TextItem> {
  const bench = await drawingBench([text(extra)]);
  const [page] = bench.drawer.layOut(new Map([['column_0', value]])).pages;
  const [first] = page?.items ?? [];
  if (first?.kind !== 'text') throw new Error('no text was drawn');
  return first;
}

describe('setSimpleLine', () => {
  it('[FILL63] any line that it supports: the same result as the general path', async () => {
    const kit = await bundledKit();
    const face = kit.face(BUILT_IN_FAMILIES.serif.regular);
    if (face === undefined) throw new Error('the bundled face is not installed');
    const { state } = embedBaseFace(face, kit.subsetter, new ObjectNumbers(1));
    const base = openBaseFace(state, 'F0');
    const chain = { base, face: (place: number) => (place === 0 ? face : undefined) };
    const tools = { shaper: kit.shaper, missing: () => {} };
    let answered = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'abc WXÉé –€()\\ '), minLength: 1, maxLength: 40 }),
        fc.record({
          width: fc.double({ min: 5, max: 300, noNaN: true }),
          height: fc.double({ min: 1, max: 60, noNaN: true }),
          size: fc.double({ min: 1, max: 40, noNaN: true }),
          minSize: fc.constant(4),
          lineHeight: fc.constant(1.2),
          wrap: fc.boolean(),
          fit: fc.constantFrom('shrink', 'wrap', 'clip'),
          align: fc.constantFrom('left', 'center', 'right'),
          valign: fc.constantFrom('top', 'middle', 'bottom'),
        }),
        (value, rules) => {
          const fast = setSimpleLine(value, rules, base);
          if (fast === undefined) return;
          answered += 1;
          expect(fast).toEqual(setText(value, rules, chain, tools));
        },
      ),
      { numRuns: 500 },
    );
    expect(answered).toBeGreaterThan(20);
  });
});

describe('text overlays', () => {
  it('[FILL63] vertical alignment: aligns the block from its ascent to its descent', async () => {
    // Arimo: ascent 0.905, descent 0.212 of the size.
    const top = await item('Text', { valign: 'top' });
    expect(top.lines[0]?.baseline).toBeCloseTo(40 - 18.1, 6);
    const bottom = await item('Text', { valign: 'bottom' });
    expect(bottom.lines[0]?.baseline).toBeCloseTo(4.24, 6);
    const middle = await item('Text', { valign: 'middle' });
    expect(middle.lines[0]?.baseline).toBeCloseTo((21.9 + 4.24) / 2, 6);
  });

  it('[FILL168] marks higher than the face: the text moves down into the free space', async () => {
    const box = { height: 20, size: 16, valign: 'top' };
    const plain = (await item('กา', box)).lines[0]?.baseline ?? 0;
    const marked = await item('ที่ นั้น', box);
    const kit = await bundledKit();
    const [line] = marked.lines;
    const [run] = line?.runs ?? [];
    if (run?.kind !== 'glyphs') throw new Error('no glyphs were drawn');
    const tops = run.glyphs.map(
      ({ glyph, dy }) => ((run.face.font.ink(glyph)?.top ?? 0) * 1000) / run.face.font.unitsPerEm + dy,
    );
    expect(line?.baseline).toBeLessThan(plain);
    expect((line?.baseline ?? 0) + (Math.max(...tops) * 16) / 1000).toBeLessThan(20.01);
    // Not below the box: the descent of the face stays inside.
    const { descent } = kit.face(BUILT_IN_FAMILIES.sans.regular) ?? { descent: 0 };
    expect((line?.baseline ?? 0) - (descent * 16) / 1000).toBeGreaterThanOrEqual(-0.01);
  });

  it('[FILL168] a box without free space: the text does not move', async () => {
    const tight = { height: 17.8, size: 16, valign: 'top' };
    const plain = await item('กา', tight);
    const marked = await item('ที่', tight);
    expect(marked.lines[0]?.baseline).toBeCloseTo(plain.lines[0]?.baseline ?? 0, 9);
  });

  it('[FILL63] horizontal alignment: aligns each line left, centred or right', async () => {
    const left = await item('Text');
    const width = left.lines[0]?.width ?? 0;
    expect(left.lines[0]?.x).toBe(0);
    expect((await item('Text', { align: 'right' })).lines[0]?.x).toBeCloseTo(200 - width, 9);
    expect((await item('Text', { align: 'center' })).lines[0]?.x).toBeCloseTo((200 - width) / 2, 9);
  });

  it.each([
    ['left', 'middle'],
    ['center', 'middle'],
    ['right', 'bottom'],
  ])(
    '[FILL63] a line wider than its box (%s, %s): keeps its height and shows its beginning',
    async (align, valign) => {
      const value = `begins ${'wide '.repeat(20)}ends`;
      const fitting = await item('begins', { align, valign });
      const wide = await item(value, { align, valign, fit: 'clip' });
      expect(wide.clipped).toBe(true);
      expect(wide.lines[0]?.x).toBe(0);
      expect(wide.lines[0]?.baseline).toBeCloseTo(fitting.lines[0]?.baseline ?? 0, 9);
      const [run] = wide.lines[0]?.runs ?? [];
      expect(run?.kind === 'base' ? run.text : '').toMatch(/^begins wide/);
    },
  );

  it('[FILL63] a right-to-left line wider than its box: begins at the right edge', async () => {
    const value = `ראשון ${'מילה '.repeat(20)}אחרון`;
    for (const align of ['left', 'center', 'right']) {
      const { lines, clipped } = await item(value, { align, valign: 'middle', fit: 'clip' });
      expect(clipped).toBe(true);
      const [line] = lines;
      expect((line?.x ?? 0) + (line?.width ?? 0)).toBeCloseTo(200, 6);
      expect(line?.x).toBeLessThanOrEqual(0);
      const bench = await drawingBench([text({ align, fit: 'clip' })]);
      const [page] = await readPdf(bench.pdf(value));
      const found = page?.texts.map((part) => part.text).join('') ?? '';
      expect(found).toContain('ראשון');
      expect(found).not.toContain('אחרון');
    }
  });

  it('[FILL63] lines that fit next to a line that does not: keep their alignment', async () => {
    const { lines } = await item(`${'wide '.repeat(20)}\nok`, { align: 'right', size: 10, fit: 'clip' });
    expect(lines[0]?.x).toBe(0);
    expect((lines[1]?.x ?? 0) + (lines[1]?.width ?? 0)).toBeCloseTo(200, 9);
  });

  it('[FILL63] a text higher than its box: begins at the top and keeps its horizontal alignment', async () => {
    const drawn = await item('one\ntwo\nthree', { align: 'right', valign: 'bottom', fit: 'clip' });
    expect(drawn.clipped).toBe(true);
    expect(drawn.lines[0]?.baseline).toBeCloseTo(40 - 18.1, 6);
    expect((drawn.lines[0]?.x ?? 0) + (drawn.lines[0]?.width ?? 0)).toBeCloseTo(200, 9);
  });

  it('[FILL63] any text: a reader finds it at the position of the layout', async () => {
    const bench = await drawingBench([text({ align: 'left', valign: 'top' })]);
    const [page] = await readPdf(bench.pdf('Ada Lovelace'));
    expect(page?.texts.map((found) => found.text).join('')).toBe('Ada Lovelace');
    expect(page?.texts[0]?.x).toBeCloseTo(100, 2);
    expect(page?.texts[0]?.y).toBeCloseTo(200 + 18.1, 2);
  });

  it('[FILL64] line feeds and tabs: become lines and spaces', async () => {
    const drawn = await item('one\r\ntwo\nthree\u2028four\tfive', { size: 5, line_height: 2 });
    const lines = drawn.lines.map((line) =>
      line.runs.map((run) => (run.kind === 'base' ? run.text : '?')).join(''),
    );
    expect(lines).toEqual(['one', 'two', 'three', 'four five']);
    expect((drawn.lines[0]?.baseline ?? 0) - (drawn.lines[1]?.baseline ?? 0)).toBeCloseTo(10, 9);
  });

  it('[FILL64] a blank value: draws nothing and counts as applied', async () => {
    const bench = await drawingBench([text()]);
    const drawing = bench.draw('');
    expect(drawing).toMatchObject({ applied: 1, skipped: 0, warnings: [] });
    expect(drawing.slots[0]?.content.length).toBe(0);
  });

  it('[FILL62] a clipped text: adds a note and omits the invisible part', async () => {
    const bench = await drawingBench([text({ fit: 'clip' })]);
    const drawing = bench.draw(`visible ${'x'.repeat(60)} hidden`);
    expect(drawing.warnings).toEqual([
      { code: 'TEXT_CLIPPED', message: expect.any(String), overlay_id: 't' },
    ]);
    expect(drawing).toMatchObject({ applied: 1, skipped: 0 });
    const [page] = await readPdf(bench.pdf(`visible ${'x'.repeat(60)} hidden`));
    const found = page?.texts.map((part) => part.text).join('') ?? '';
    expect(found).toContain('visible');
    expect(found).not.toContain('hidden');
    const lines = await drawingBench([text({ fit: 'wrap', size: 12 })]);
    const [wrapped] = await readPdf(lines.pdf(`first ${'word '.repeat(60)} last`));
    const words = wrapped?.texts.map((part) => part.text).join(' ') ?? '';
    expect(words).toContain('first');
    expect(words).not.toContain('last');
  });

  it('[FILL67] a rotation: clockwise about the centre of the box', async () => {
    const bench = await drawingBench([text({ rotation: 90, valign: 'middle', align: 'center' })]);
    const [page] = await readPdf(bench.pdf('Ada'));
    const found = page?.texts[0];
    // The centre (200, 220) stays; the text begins above it and runs down.
    expect(found?.x).toBeLessThan(200);
    expect(found?.x).toBeGreaterThan(190);
    expect(found?.y).toBeLessThan(220);
    const content = new TextDecoder('latin1').decode(bench.draw('Ada').slots[0]?.content);
    expect(content).toContain('0 -1 1 0 200 622 cm');
  });

  it('[FILL67] an opacity: set by a graphics state', async () => {
    const bench = await drawingBench([text({ opacity: 0.25 })]);
    const [slot] = bench.draw('Ada').slots;
    expect(slot?.resources).toContain('/ExtGState<</G250<</ca 0.25/CA 0.25>>>>');
    expect(new TextDecoder('latin1').decode(slot?.content)).toMatch(/^q\n\/G250 gs\n[\s\S]*Q\n$/);
  });

  it('[FILL77] a text after other texts: has the same bytes', async () => {
    const bench = await drawingBench([text(), text({ id: 'u', y: 300, bold: true })]);
    const bytes = (value: string) => Buffer.from(bench.pdf(value)).toString('base64');
    const alone = bytes('Żółw Ω 漢字');
    bench.pdf('something else entirely: мир');
    bench.pdf('漢 Ω');
    expect(bytes('Żółw Ω 漢字')).toBe(alone);
  });
});
