import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fill, layoutOf } from '../support/fill-cli.ts';
import { formPdf } from '../support/form-source.ts';
import { JudgeRoom, missingJudges } from '../support/judges.ts';
import { openPdfjsViewer, type PdfjsViewer } from '../support/pdfjs-viewer.ts';
import { readFields } from '../support/read-pdf.ts';
import { type Area, changed, changedArea, type Picture, RENDERERS } from '../support/renderings.ts';
import { type CliSandbox, cliSandbox } from '../support/run-cli.ts';
import { sourcePdf } from '../support/source-pdf.ts';
import { type FoundWidget, widgetsOf } from '../support/widgets.ts';

/**
 * A value counts as shown if the widget's box differs clearly from the same form filled with blanks, in four renderers. If
 * the field type defines more (quadding, cells, size), the ink must match it.
 */
const missing = missingJudges('qpdf', 'pdftotext', 'pdftoppm', 'mutool');
if (missing.length > 0) console.log(`judges of forms skipped: ${missing.join(', ')} not installed`);

const DPI = 144;
const PDFJS = 'pdf.js';
const VIEWERS = [...Object.keys(RENDERERS), PDFJS];
const room = new JudgeRoom();
let pdfjs: PdfjsViewer;
beforeAll(async () => {
  pdfjs = await openPdfjsViewer();
});
afterAll(async () => {
  await pdfjs.close();
  room.close();
});

interface JudgedForm {
  readonly source: () => Uint8Array;
  readonly values: Readonly<Record<string, string>>;
  /** Words that text readers must find, in any order. */
  readonly words: readonly string[];
}

const LONG = 'The quick brown fox jumps over the lazy dog and keeps on running until the line is full.';

const FORMS: Readonly<Record<string, JudgedForm>> = {
  'every kind of field': {
    source: formPdf,
    values: {
      'employee.name': 'Zoe Smith',
      note: LONG,
      pin: '123456',
      amount: '1,234.50',
      city: 'Basel',
      agree: 'yes',
      bare: 'x',
      colour: 'green',
      size: 'large',
      turned: 'Sideways',
    },
    words: ['Zoe', 'Smith', 'quick', 'full.', '1,234.50', 'Basel', 'Large', 'Sideways', 'Kept'],
  },
  'a rotated, cropped page': {
    source: () =>
      sourcePdf({
        pages: [{ mediaBox: [0, 0, 600, 800], cropBox: [20, 30, 580, 770], rotate: 90 }],
        fields: [
          { name: 'code', kind: 'text', rects: [[60, 500, 80, 700]], extra: '/MaxLen 4/MK<</R 90>>' },
          {
            name: 'letter',
            kind: 'text',
            rects: [[100, 400, 180, 700]],
            extra: '/Ff 4096/MK<</R 90/BC[0 0 0]>>/BS<</S/D>>',
          },
          {
            name: 'twice',
            kind: 'text',
            rects: [[200, 500, 220, 700]],
            extra: '/MK<</R 90/BC[0 0 0]>>/BS<</S/U>>',
          },
          { name: 'tick', kind: 'checkbox', rects: [[240, 680, 260, 700]] },
          {
            name: 'pick',
            kind: 'radio',
            rects: [
              [280, 680, 300, 700],
              [280, 640, 300, 660],
            ],
            options: [
              ['first', 'first'],
              ['second', 'second'],
            ],
          },
          {
            name: 'land',
            kind: 'dropdown',
            rects: [[320, 500, 340, 700]],
            options: [
              ['CH', 'Switzerland'],
              ['AT', 'Austria'],
            ],
            extra: '/MK<</R 90>>',
          },
        ],
      }),
    values: {
      code: 'ABCDEFGH',
      letter: LONG,
      twice: 'Doubled',
      tick: 'yes',
      pick: 'second',
      land: 'CH',
    },
    words: ['ABCD', 'quick', 'full.', 'Doubled', 'Switzerland'],
  },
};

interface JudgedRun {
  readonly widgets: readonly FoundWidget[];
  readonly pictures: ReadonlyMap<string, { readonly blank: Picture; readonly full: Picture }>;
}

describe.skipIf(missing.length > 0).each(Object.keys(FORMS))('a form: %s', (title) => {
  const { source, values, words } = FORMS[title] as JudgedForm;
  let sandbox: CliSandbox;
  const runs = new Map<boolean, JudgedRun>();
  beforeAll(async () => {
    sandbox = await cliSandbox();
    const layout = layoutOf([], {
      form_fields: Object.keys(values).map((field, index) => ({
        id: `f${index}`,
        field,
        value: { column: `column_${index}` },
      })),
    });
    const row = Object.values(values).map((value, index) => [`column_${index}`, value] as const);
    for (const flattened of [false, true]) {
      const { files } = await fill(sandbox, {
        pdf: source(),
        layout,
        rows: [Object.fromEntries(row), {}],
        args: flattened ? ['--flatten-forms'] : [],
      });
      const [full, blank] = [files['row_1.pdf'], files['row_2.pdf']];
      if (full === undefined || blank === undefined) throw new Error('a row is missing');
      const name = flattened ? 'flat' : 'live';
      room.put(`${name}.pdf`, full);
      room.put(`${name}-blank.pdf`, blank);
      const pictures = new Map<string, { blank: Picture; full: Picture }>();
      for (const [viewer, render] of Object.entries({ ...RENDERERS, [PDFJS]: pdfjs.render })) {
        pictures.set(viewer, {
          blank: await render(room, `${name}-blank.pdf`, DPI),
          full: await render(room, `${name}.pdf`, DPI),
        });
      }
      runs.set(flattened, { widgets: await widgetsOf(source()), pictures });
    }
  });
  afterAll(() => sandbox.remove());

  for (const flattened of [false, true]) {
    const name = flattened ? 'flat' : 'live';

    it(`[FILL49][FILL51] ${name}: qpdf finds it clean, and fields only where they should be`, async () => {
      const check = room.try('qpdf', '--check', `${name}.pdf`);
      expect(check).toMatchObject({ status: 0, said: expect.not.stringContaining('WARNING') });
      const { acroform } = JSON.parse(room.run('qpdf', '--json', '--json-key=acroform', `${name}.pdf`));
      expect(acroform.hasacroform).toBe(!flattened);
      const stored = await readFields(room.read(`${name}.pdf`));
      if (flattened) expect(stored).toEqual({});
      else expect(Object.keys(stored)).toEqual(expect.arrayContaining(Object.keys(values)));
    });

    it(`[FILL49][FILL51] ${name}: poppler and MuPDF read the values`, () => {
      const poppler = room.run('pdftotext', '-raw', `${name}.pdf`, '-');
      // MuPDF reads a widget's text from its appearance, which is what must be shown.
      const mupdf = room.run('mutool', 'draw', '-q', '-F', 'txt', `${name}.pdf`, '1');
      for (const word of words) {
        expect(poppler.split(/\s+/), 'poppler').toContain(word);
        expect(mupdf.split(/\s+/), 'MuPDF').toContain(word);
      }
    });

    it.each(VIEWERS)(`[FILL49][FILL51] ${name}: %s shows every value, and only there`, (viewer) => {
      const { widgets, pictures } = runs.get(flattened) as JudgedRun;
      const { blank, full } = pictures.get(viewer) ?? {};
      if (blank === undefined || full === undefined) throw new Error('no picture');
      let judged = 0;
      for (const { field, kind, state, area } of widgets) {
        const value = values[field];
        const isChosen = kind !== 'Btn' || value === 'yes' || value === 'x' || value === state;
        const inked = changed(blank, full, area, DPI);
        if (value === undefined || !isChosen) expect(inked, `${field} ${state}`).toBe(0);
        else expect(inked, `${field} ${state}`).toBeGreaterThan(25);
        judged += 1;
      }
      expect(judged).toBeGreaterThanOrEqual(Object.keys(values).length);
      // No ink lies outside the box.
      const everywhere = { x: 0, y: 0, width: full.width, height: full.height };
      const inside = widgets.map(({ area }) => changed(blank, full, area, DPI));
      expect(changed(blank, full, everywhere, DPI)).toBe(inside.reduce((sum, count) => sum + count, 0));
    });

    if (title !== 'every kind of field') continue;
    it.each(VIEWERS)(`[FILL49][FILL50] ${name}: %s shows quadding, cells and sizes`, (viewer) => {
      const { widgets, pictures } = runs.get(flattened) as JudgedRun;
      const { blank, full } = pictures.get(viewer) ?? {};
      if (blank === undefined || full === undefined) throw new Error('no picture');
      const boxOf = (field: string): Area => {
        const found = widgets.find((widget) => widget.field === field);
        if (found === undefined) throw new Error(`no widget ${field}`);
        return found.area;
      };
      const inkOf = (field: string): Area => {
        const found = changedArea(blank, full, boxOf(field), DPI);
        if (found === null) throw new Error(`nothing in ${field}`);
        return found;
      };
      const margins = (field: string) => {
        const [box, ink] = [boxOf(field), inkOf(field)];
        return { left: ink.x - box.x, right: box.x + box.width - ink.x - ink.width };
      };
      expect(margins('employee.name').left).toBeLessThan(5);
      expect(margins('amount').right).toBeLessThan(5);
      expect(margins('amount').left).toBeGreaterThan(100);
      expect(Math.abs(margins('city').left - margins('city').right)).toBeLessThan(2);
      // One digit in each of six cells.
      const comb = boxOf('pin');
      const cell = comb.width / 6;
      for (let index = 0; index < 6; index += 1) {
        const ink = changedArea(blank, full, { ...comb, x: comb.x + index * cell, width: cell }, DPI);
        if (ink === null) throw new Error(`cell ${index + 1} is empty`);
        expect(Math.abs(ink.x + ink.width / 2 - comb.x - (index + 0.5) * cell)).toBeLessThan(2);
      }
      // An automatic size fills the line; a multiline field fills more than one.
      expect(inkOf('city').height).toBeGreaterThan(0.5 * boxOf('city').height);
      expect(inkOf('note').height).toBeGreaterThan(20);
      expect(inkOf('note').width).toBeGreaterThan(0.7 * boxOf('note').width);
      // Rotated text runs upwards.
      expect(inkOf('turned').height).toBeGreaterThan(inkOf('turned').width * 2);
    });
  }
});
