import { describe, expect, it } from 'vitest';
import type { TextItem } from '#fill/draw/display-list.ts';
import { findLayoutProblems } from '#fill/layout-problems.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { drawingBench } from '../../../../test/support/drawn-row-pdf.ts';
import { pageTexts } from '../../../../test/support/read-pdf.ts';

const text = (template: string, extra: object = {}) => ({
  id: 't',
  type: 'text' as const,
  page: 1,
  x: 100,
  y: 200,
  width: 200,
  height: 40,
  size: 20,
  value: { template },
  markup: true,
  ...extra,
});

async function drawn(template: string, extra: object = {}, ...values: string[]) {
  const bench = await drawingBench([text(template, extra)]);
  const { pages, warnings } = bench.drawer.layOut(
    new Map(values.map((value, index) => [`column_${index}`, value])),
  );
  const [item] = pages[0]?.items ?? [];
  if (item?.kind !== 'text') throw new Error('no text was drawn');
  const pdf = bench.pdf(...values);
  return { item, notes: warnings, pdf, read: ((await pageTexts(pdf))[0] ?? '').replaceAll(/\s+/g, ' ') };
}

/** The faces, colours and texts of each run. */
const runsOf = ({ lines }: TextItem) =>
  lines.map(({ runs }) =>
    runs.map((run) => {
      if (run.kind === 'base') return `${run.face.name} ${run.text}`;
      const { color, underline = false } = run.look ?? {};
      const words = run.glyphs.map((glyph) => glyph.text).join('');
      const style = /Bold_Italic|Bold|Italic/.exec(run.face.id)?.[0] ?? 'Regular';
      return `${style}${underline ? ' u' : ''}${color === undefined ? '' : ` ${color.r},${color.g},${color.b}`}: ${words}`;
    }),
  );
const places = ({ size, lines }: TextItem) => ({
  size,
  lines: lines.map(({ x, baseline, width }) => [x, baseline, width]),
});

describe('a text with markup', () => {
  it('[FILL290] styles: each part has its face, colour and underline', async () => {
    const { item, read } = await drawn('a **b** *c* ***d*** __e__ [f **g**](#c00)\nh', { width: 400 });
    expect(runsOf(item)).toEqual([
      [
        ...[
          'Regular: a ',
          'Bold: b',
          'Regular:  ',
          'Italic: c',
          'Regular:  ',
          'Bold_Italic: d',
          'Regular:  ',
        ],
        ...['Regular u: e', 'Regular:  ', 'Regular 204,0,0: f ', 'Bold 204,0,0: g'],
      ],
      ['Regular: h'],
    ]);
    expect(read).toContain('a b c d e f g h');
  });

  it('[FILL290] bold and italic of the overlay: the marks add to them', async () => {
    const { item } = await drawn('a *b*', { bold: true });
    expect(runsOf(item)).toEqual([['Bold: a ', 'Bold_Italic: b']]);
  });

  it('[FILL291] marks in the values of a row: drawn as they are, in the style of their place', async () => {
    const value = '**x** [y](#f00) \\* {{column_1}}';
    const { item, read } = await drawn('**{{column_0}}** z', { width: 480 }, value, 'no');
    expect(runsOf(item)).toEqual([[`Bold: ${value}`, 'Regular:  z']]);
    expect(read).toContain(`${value} z`);
  });

  it('[FILL293] a text in one style by marks: the places of the same text in a face of that style', async () => {
    for (const look of [
      {},
      { align: 'right', valign: 'bottom' },
      { align: 'center', valign: 'middle', rotation: 30, padding: 3 },
      { wrap: true },
      { fit: 'wrap' },
      { fit: 'clip' },
    ]) {
      const words = 'Some words that are too long for their box, whatever its size';
      const marked = await drawn(`**${words}**`, look);
      const plain = await drawn(words, { ...look, bold: true, markup: false });
      expect(places(marked.item)).toEqual(places(plain.item));
      expect(marked.notes).toEqual(plain.notes);
    }
  });

  it('[FILL293] adjacent underlined parts of two faces: one rule below them, in their colour', async () => {
    const { item, pdf } = await drawn('__a *b*__ [__c__](#00f)');
    const content = Buffer.from(pdf).toString('latin1');
    const rules = [...content.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re f/g)].map(([, ...box]) =>
      box.map(Number),
    );
    const [line] = item.lines;
    expect(rules).toHaveLength(2);
    expect(rules[0]?.[0]).toBeCloseTo(100 + (line?.x ?? 0), 2);
    expect(rules[0]?.[3]).toBeCloseTo(1.46, 2);
    expect(content).toContain('0 0 1 rg');
  });

  it('[FILL293] right-to-left text: in visual order with its styles', async () => {
    const { item, notes } = await drawn('אב **גד** *x*');
    // A space in right-to-left text has the face of the word before it.
    expect(runsOf(item)).toEqual([['Italic: x', 'Bold:  דג', 'Regular:  בא']]);
    expect(notes).toEqual([]);
  });

  it('[FILL294] a style that the font of a character lacks: the nearest face and a note', async () => {
    const { notes } = await drawn('*מ* *م* **م**');
    expect(notes.map(({ code, message }) => [code, message])).toEqual([
      ['STYLE_MISSING', expect.stringContaining('The font of U+0645 has no face of the style')],
    ]);
  });

  it('[FILL295] no markup: the marks are text, and the bytes are those without the member', async () => {
    const off = await drawn('**a** {{column_0}}', { markup: false }, 'b');
    const absent = await drawn('**a** {{column_0}}', { markup: undefined }, 'b');
    expect(off.read).toContain('**a** b');
    expect(Buffer.from(off.pdf).equals(absent.pdf)).toBe(true);
  });

  it('[FILL292] markup that cannot have its effect: a layout problem', async () => {
    const source = { page_count: 1, form_fields: [] } as unknown as Parameters<typeof findLayoutProblems>[1];
    const problems = async (overlay: object) => {
      const layout = layoutSchema.parse({
        format: 'rowpress.layout',
        version: 1,
        overlays: [{ ...text('a'), ...overlay }],
      });
      return (await findLayoutProblems(layout, source, new Map())).map(
        ({ path, message }) => `${path}: ${message}`,
      );
    };
    expect(await problems({})).toEqual([]);
    expect(await problems({ value: { template: '**a' } })).toEqual([
      expect.stringContaining('overlays[0].value: ** is not closed'),
    ]);
    expect(await problems({ value: { column: 'column_0' } })).toEqual([
      expect.stringContaining('overlays[0].markup: markup has no effect on a column'),
    ]);
    expect(await problems({ comb: 4 })).toEqual([
      'overlays[0].markup: markup has no effect on a text of cells',
    ]);
  });
});
