import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinear, SYMBOLOGIES } from '#fill/package/symbologies.ts';
import type { Cell } from '#fill/values/row-cells.ts';
import { prepareForTest } from '../support/prepared.ts';
import { readPdf } from '../support/read-pdf.ts';
import { sourcePdf } from '../support/source-pdf.ts';

/**
 * Every layout that the schema accepts, with any row, must give a PDF that an independent reader opens, or a contract
 * error other than `ROW_RENDER_FAILED`, which indicates a bug.
 */
const source = sourcePdf({
  pages: [
    {},
    { rotate: 90, cropBox: [10, 20, 300, 500] },
    { userUnit: 2.5, mediaBox: [-100, -100, 200, 300] },
  ],
  fields: [
    { name: 'text', kind: 'text', rects: [[50, 700, 250, 720]], extra: '/MaxLen 20' },
    { name: 'comb', kind: 'text', rects: [[50, 660, 250, 680]], extra: '/MaxLen 8/Ff 16777216' },
    { name: 'lines', kind: 'text', rects: [[50, 560, 250, 650]], extra: '/Ff 4096' },
    { name: 'flat', kind: 'text', rects: [[50, 500, 50, 500]] },
    { name: 'box', kind: 'checkbox', rects: [[50, 450, 60, 460]] },
    {
      name: 'choice',
      kind: 'dropdown',
      rects: [[50, 400, 250, 420]],
      options: [
        ['a', 'Alpha'],
        ['b', 'Beta'],
      ],
    },
    {
      name: 'group',
      kind: 'radio',
      rects: [
        [50, 350, 60, 360],
        [80, 350, 90, 360],
      ],
      options: [
        ['one', '1'],
        ['two', '2'],
      ],
    },
  ],
});

const column = fc.nat(4).map((index) => `column_${index}`);
const value = fc.oneof(
  fc.record({ column }),
  fc.record({
    static: fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('', ' ', '2026-02-08', '1234.5', 'yes')),
  }),
  fc.record({ template: fc.tuple(column, column).map(([a, b]) => `x {{${a}}} – {{ ${b} }}`) }),
);
const format = fc.constantFrom(
  { number: '#,##0.00' },
  { number: '0%', input_decimal: ',' },
  { date: 'dddd D MMMM YYYY' },
  { date: 'D. MMM YYYY', input: 'D MMM YYYY', language: 'pl' },
  { date: 'DD.MM.YY', input: 'YYYYMMDD' },
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const length = fc.oneof(fc.double({ min: 0.1, max: 600, noNaN: true }), fc.constantFrom(0.1, 20_000));
const offset = fc.oneof(fc.double({ min: -50, max: 700, noNaN: true }), fc.constantFrom(-20_000, 20_000, 0));

const placed = {
  page: fc.integer({ min: 1, max: 4 }),
  x: offset,
  y: offset,
  width: length,
  height: length,
  rotation: maybe(
    fc.oneof(fc.double({ min: -360, max: 360, noNaN: true }), fc.constantFrom(0, 90, -90, 360)),
  ),
  opacity: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  show_if: maybe(
    fc.oneof(
      column.map((key) => ({ column: key, blank: true })),
      column.map((key) => ({ any: [{ column: key, not_equals: 'x' }] })),
    ),
  ),
};
const color = maybe(fc.constantFrom('#fff', '#0A0b0C', '#123456'));
const picture = {
  fit: maybe(fc.constantFrom('contain', 'cover', 'stretch')),
  align: maybe(fc.constantFrom('left', 'center', 'right')),
};
const overlay = fc.oneof(
  fc.record({
    ...placed,
    type: fc.constantFrom('text', 'date'),
    value,
    font: maybe(fc.constantFrom('sans', 'serif', 'mono')),
    bold: maybe(fc.boolean()),
    italic: maybe(fc.boolean()),
    size: maybe(fc.oneof(fc.double({ min: 1, max: 100, noNaN: true }), fc.constantFrom(1, 2000))),
    min_size: maybe(fc.constantFrom(0.5, 4, 2000)),
    color,
    align: maybe(fc.constantFrom('left', 'center', 'right')),
    valign: maybe(fc.constantFrom('top', 'middle', 'bottom')),
    line_height: maybe(fc.double({ min: 0.5, max: 10, noNaN: true })),
    wrap: maybe(fc.boolean()),
    fit: maybe(fc.constantFrom('shrink', 'wrap', 'clip')),
    format: maybe(format),
  }),
  fc.record({
    ...placed,
    type: fc.constant('qr'),
    value,
    ecc: maybe(fc.constantFrom('L', 'M', 'Q', 'H')),
    color,
  }),
  fc.record({
    ...placed,
    type: fc.constant('barcode'),
    symbology: fc.constantFrom(...SYMBOLOGIES),
    value,
    color,
  }),
  fc.record({
    ...placed,
    type: fc.constant('barcode'),
    symbology: fc.constantFrom(...SYMBOLOGIES.filter(isLinear)),
    value,
    human_readable: maybe(fc.boolean()),
    color,
  }),
  fc.record({ ...placed, type: fc.constantFrom('image', 'signature'), value, ...picture }),
  fc.record({
    ...placed,
    type: fc.constant('check'),
    value,
    mark: maybe(fc.constantFrom('check', 'cross', 'dot', 'square')),
    on_value: maybe(fc.string({ maxLength: 5 })),
  }),
  fc.record({
    ...placed,
    type: fc.constant('sticker'),
    value: maybe(value),
    label: maybe(fc.string({ minLength: 1, maxLength: 20 })),
    color,
  }),
);
const fieldNames = ['text', 'comb', 'lines', 'flat', 'box', 'choice', 'group', 'absent'];
const layout = fc.record({
  overlays: fc.array(overlay, { maxLength: 6 }),
  fields: fc.uniqueArray(fc.record({ field: fc.constantFrom(...fieldNames), value, format: maybe(format) }), {
    selector: (mapping) => mapping.field,
  }),
});
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    'yes',
    'Alpha',
    'two',
    '4006381333931',
    '12345',
    'مرحبا',
    '李雷',
    'a\nb\r\nc',
    dot,
    '2026-02-08',
    '-1e5',
  ),
  fc.string({ minLength: 500, maxLength: 3000 }),
  fc.constant({ json: '[]' }),
);
const rows = fc.array(fc.dictionary(column, cell), { minLength: 1, maxLength: 3 });

/** Removes undefined members. */
const clean = (input: object) => JSON.parse(JSON.stringify(input));

describe('[FILL7] any layout and any row', () => {
  it('a generated layout and row: a readable PDF or a documented error', { timeout: 600_000 }, async () => {
    let produced = 0;
    await fc.assert(
      fc.asyncProperty(
        layout,
        rows,
        fc.boolean(),
        fc.boolean(),
        async (parts, cells, flattenForms, includeStickers) => {
          const { base, filler } = await prepareForTest(
            source,
            {
              overlays: parts.overlays.map((part, index) => ({ id: `o${index}`, ...clean(part) })),
              form_fields: parts.fields.map((part, index) => ({ id: `f${index}`, ...clean(part) })),
            },
            { flattenForms, includeStickers },
          );
          const shown = parts.overlays.filter((part) => part.type !== 'sticker' || includeStickers).length;
          for (const row of cells) {
            const filled = new Map(Object.entries(row).filter(([, content]) => content !== ''));
            const { tail, result } = filler.fill(1, filled);
            if (tail === null) {
              expect(['ROW_VALUE_INVALID', 'ROW_TOO_COMPLEX']).toContain(result.error?.code);
              continue;
            }
            produced += 1;
            expect(result.applied_overlay_count + result.skipped_overlay_count).toBe(
              shown + parts.fields.length,
            );
            const notes = [
              'TEXT_CLIPPED',
              'GLYPH_MISSING',
              'VALUE_FORMAT_UNREAD',
              'CODE_TOO_SMALL',
              'FIELD_HIDDEN',
            ];
            expect(result.warnings.filter(({ code }) => !notes.includes(code))).toHaveLength(
              result.skipped_overlay_count,
            );
            expect(Buffer.from(tail).toString('latin1')).not.toMatch(/NaN|undefined|Infinity|\d[eE][-+]\d+ /);
            const pages = await readPdf(Buffer.concat([base.bytes, tail]));
            expect(pages.map(({ texts }) => texts.some(({ text }) => text.startsWith('page ')))).toEqual([
              true,
              true,
              true,
            ]);
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(produced).toBeGreaterThan(50);
  });
});
