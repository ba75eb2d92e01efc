import { beforeAll, describe, expect, it } from 'vitest';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { FORM_FIELD_NAMES, formPdf } from '../../../test/support/form-source.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts, readFields } from '../../../test/support/read-pdf.ts';

const form_fields = FORM_FIELD_NAMES.map((field, index) => ({
  id: `id-${field}`,
  field,
  value: { column: `column_${index}` },
}));
const ROW = ['Zoë', 'one two', '123456', '1.50', 'Łódź', 'yes', 'x', 'green', 'large', 'Sideways'];

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const tailOf = (fill: PreparedFill, ...values: string[]) =>
  latin1(fill.pdf(...values).subarray(fill.base.bytes.length));
const row = (fill: PreparedFill, ...values: string[]) => fill.filler.fill(1, cellsOf(...values)).result;

describe('native form fields', () => {
  let fill: PreparedFill;
  let flat: PreparedFill;
  beforeAll(async () => {
    fill = await prepareForTest(formPdf(), { form_fields });
    flat = await prepareForTest(formPdf(), { form_fields }, { flattenForms: true });
  });

  it('[FILL48] a form: names, types, options and lengths are read', () => {
    const byName = new Map(fill.base.facts.source.form_fields.map((field) => [field.name, field]));
    expect(byName.get('employee.name')?.type).toBe('text');
    expect(byName.get('pin')).toMatchObject({ type: 'text', max_length: 6 });
    expect(byName.get('agree')).toMatchObject({
      type: 'checkbox',
      options: [{ value: 'Accepted', label: 'Accepted' }],
    });
    expect(byName.get('colour')?.options?.map(({ value }) => value)).toEqual(['red', 'green', 'blue']);
    expect(byName.get('size')).toMatchObject({
      type: 'dropdown',
      options: [{ value: 'S', label: 'Small' }, {}, {}],
    });
    expect(byName.get('sign')?.type).toBe('signature');
    expect(fill.base.facts.source).toMatchObject({ signed: true, xfa: false });
  });

  it('[FILL49] a filled field: stores the value and contains its appearance', async () => {
    expect(latin1(fill.base.bytes)).not.toContain('NeedAppearances');
    const tail = tailOf(fill, ...ROW);
    expect(tail).toContain('/V <feff005a006f00eb>');
    expect(tail).toContain('/AP<</N');
    expect(tail).toMatch(/\/AS\/Accepted/);
    expect(tail).toMatch(/\/V\/green/);
    expect(tail).toContain('/V <4c>');
    expect(row(fill, ...ROW)).toMatchObject({ status: 'success', applied_overlay_count: 10, warnings: [] });
  });

  it('[FILL49] a text with escape characters: stored so that readers find no language code in it', async () => {
    const coloured = await readFields(fill.pdf('red \u001b[31mrose\u001b[0m, Łódź'));
    expect(coloured['employee.name']).toBe('red [31mrose[0m, Łódź');
    expect(row(fill, 'red \u001b[31mrose').warnings).toMatchObject([{ code: 'GLYPH_MISSING' }]);
  });

  it('[FILL15] buttons and lists: ticked, chosen or cleared; an unknown option adds a note', () => {
    expect(tailOf(fill, '', '', '', '', '', 'Accepted')).toContain('/AS/Accepted');
    expect(tailOf(fill, '', '', '', '', '', 'no')).toContain('/AS/Off');
    expect(row(fill, '', '', '', '', '', 'perhaps')).toMatchObject({
      status: 'partial',
      skipped_overlay_count: 1,
      warnings: [{ code: 'OPTION_UNKNOWN', overlay_id: 'id-agree' }],
    });
    expect(tailOf(fill, '', '', '', '', '', '', '', ' BLUE ')).toContain('/V/blue');
    expect(tailOf(fill, '', '', '', '', '', '', '', '')).toContain('/V/Off');
    expect(row(fill, '', '', '', '', '', '', '', 'mauve', 'XXL').warnings.map(({ code }) => code)).toEqual([
      'OPTION_UNKNOWN',
      'OPTION_UNKNOWN',
    ]);
  });

  it('[FILL49] a state with a name but no picture: the engine draws it', async () => {
    const source = latin1(formPdf()).replace(
      /\/AP<<\/N<<\/Accepted \d+ 0 R\/Off \d+ 0 R>>>>/,
      '/AP<</N<</Accepted<<>>>>>>',
    );
    expect(source).not.toBe(latin1(formPdf()));
    const named = await prepareForTest(Buffer.from(source, 'latin1'), { form_fields });
    const tail = tailOf(named, '', '', '', '', '', 'yes');
    expect(tail).toMatch(/\/AS\/Accepted\/AP<<\/N<<\/Accepted \d+ 0 R\/Off \d+ 0 R>>>>\/V\/Accepted/);
    const unmapped = await prepareForTest(Buffer.from(source, 'latin1'), {});
    expect(latin1(unmapped.base.bytes)).toMatch(/\/AP <<\/N <<\/Accepted \d+ 0 R\/Off \d+ 0 R>>>>/);
    // The box named "bare" has neither pictures nor a state.
    expect(latin1(unmapped.base.bytes)).toMatch(/\/AP <<\/N <<\/Yes \d+ 0 R\/Off \d+ 0 R>>>>\/AS \/Off/);
  });

  it('[FILL50] a text longer than MaxLen: truncated, with a note', () => {
    expect(tailOf(fill, '', '', '12345678')).toContain(`/V <${Buffer.from('123456').toString('hex')}>`);
    expect(row(fill, '', '', '12345678').warnings).toMatchObject([
      { code: 'TEXT_CLIPPED', overlay_id: 'id-pin' },
    ]);
  });

  it('[FILL50] a comb with a border: its cells have dividers', () => {
    // Six cells on 180 pt; the border's rectangle and its five dividers are one path.
    const dividers = '30 0 m 30 20 l 60 0 m 60 20 l 90 0 m 90 20 l 120 0 m 120 20 l 150 0 m 150 20 l S';
    for (const comb of [fill, flat]) expect(tailOf(comb, '', '', '123')).toContain(` re ${dividers}`);
  });

  it('[FILL6] a mapped field that the PDF does not have: skipped', async () => {
    const missing = await prepareForTest(formPdf(), {
      form_fields: [{ id: 'm', field: 'absent', value: { static: 'x' } }],
    });
    expect(row(missing)).toMatchObject({
      status: 'partial',
      warnings: [{ code: 'FORM_FIELD_MISSING', overlay_id: 'm' }],
    });
  });

  it('[FILL51] a flattened form: has no fields and shows every value as page content', async () => {
    const text = latin1(flat.pdf(...ROW));
    expect(text).not.toContain('/AcroForm');
    expect(text).not.toMatch(/\/Subtype\s*\/Widget/);
    const [shown = ''] = await pageTexts(flat.pdf(...ROW));
    for (const value of ['Zoë', 'one two', '1.50', 'Łódź', 'Large', 'Sideways', 'Kept value']) {
      expect(shown).toContain(value);
    }
    expect(shown.replaceAll(' ', '')).toContain('123456');
  });

  it('[FILL51] overlays on flattened fields: drawn after them', async () => {
    const overlays = [
      { id: 'o', type: 'text', page: 1, x: 120, y: 30, width: 90, height: 20, value: { static: 'OVER' } },
    ] as const;
    const both = await prepareForTest(
      formPdf(),
      { form_fields, overlays: [...overlays] },
      { flattenForms: true },
    );
    const [shown = ''] = await pageTexts(both.pdf(...ROW));
    expect(shown.indexOf('OVER')).toBeGreaterThan(shown.indexOf('Sideways'));
    expect(shown.indexOf('OVER')).toBeGreaterThan(shown.indexOf('Kept value'));
  });

  it('[FILL51] a flattened hidden field: stays hidden', async () => {
    const source = latin1(formPdf()).replace('/F 4/P 3 0 R/FT/Tx/T(note)', '/F 2/P 3 0 R/FT/Tx/T(note)');
    expect(source).not.toBe(latin1(formPdf()));
    const hidden = await prepareForTest(
      Buffer.from(source, 'latin1'),
      { form_fields },
      { flattenForms: true },
    );
    const [shown = ''] = await pageTexts(hidden.pdf(...ROW));
    expect(shown).toContain('Zoë');
    expect(shown).not.toContain('one two');
  });

  it('[FILL51] a flattened field on a layer: stays on it', async () => {
    const source = latin1(formPdf())
      .replace('/FT/Tx/T(note)', '/OC<</Type/OCMD>>/FT/Tx/T(note)')
      .replace('/FT/Tx/T(kept)', '/OC<</Type/OCMD>>/FT/Tx/T(kept)');
    const layered = await prepareForTest(
      Buffer.from(source, 'latin1'),
      { form_fields },
      { flattenForms: true },
    );
    const text = latin1(layered.base.bytes);
    expect(text).toMatch(/\/OC \/RpLayer BDC\nq \/RpField1 Do Q\nEMC\n/);
    expect(text).toMatch(/\/OC \/RpLayer1 BDC\nq [\d. ]+ cm \/RpStamp\d* Do Q\nEMC\n/);
    expect(text).toMatch(/\/Properties <<\/RpLayer \d+ 0 R\/RpLayer1 \d+ 0 R>>/);
  });

  it('[FILL52] a signed form: loses its signature and keeps its other fields', () => {
    const text = latin1(fill.base.bytes);
    expect(text).not.toMatch(/ByteRange|SigFlags/);
    expect(text).toContain('/FT /Sig');
  });

  it('[FILL52] a form with an XFA copy: loses the copy, with a note', async () => {
    const source = latin1(formPdf()).replace('/SigFlags 3', '/XFA (x)   ');
    const xfa = await prepareForTest(Buffer.from(source, 'latin1'), { form_fields });
    expect(xfa.base.facts.source.xfa).toBe(true);
    expect(latin1(xfa.base.bytes)).not.toContain('/XFA');
    expect(row(xfa, ...ROW).status).toBe('success');
  });

  it('[FILL5] a mapping that is not shown: leaves the field unchanged and counts as applied', async () => {
    const hidden = await prepareForTest(formPdf(), {
      form_fields: [
        {
          id: 'n',
          field: 'employee.name',
          value: { column: 'column_0' },
          show_if: { column: 'column_1', equals: 'go' },
        },
      ],
    });
    expect(tailOf(hidden, 'Ann', 'stop')).not.toContain('/V');
    expect(row(hidden, 'Ann', 'stop')).toMatchObject({ status: 'success', applied_overlay_count: 1 });
    expect(tailOf(hidden, 'Ann', 'go')).toContain(`/V <${Buffer.from('Ann').toString('hex')}>`);
  });

  it('[FILL51] a flattened field that a row does not change: looks like the source', async () => {
    const alone = { column: 'column_9', equals: 'go' };
    const left = form_fields.map((mapping) => ({ ...mapping, show_if: alone }));
    // The source chose green; "kept" has a value and no picture of it.
    const source = latin1(formPdf())
      .replace('/AS/Off/AP<</N<</green ', '/AS/green/AP<</N<</green ')
      .replace('/T(city)/Q 1', '/T(city)/V(Bern)/Q 1');
    const kept = { id: 'k', field: 'kept', value: { column: 'column_0' }, show_if: alone };
    const untouched = await prepareForTest(
      Buffer.from(source, 'latin1'),
      { form_fields: [...left, kept] },
      { flattenForms: true },
    );
    const [shown = ''] = await pageTexts(untouched.pdf(...ROW.slice(0, 9)));
    for (const value of ['Bern', 'Kept value']) expect(shown).toContain(value);
    const text = latin1(untouched.pdf(...ROW.slice(0, 9)));
    expect(
      text.match(/\/Subtype\/Form\/BBox\[[\d .]+\]\/Resources<<\/XObject<<\/A \d+ 0 R>>>>/g)?.length,
    ).toBe(13);

    const unknown = row(flat, '', '', '', '', '', '', '', 'mauve');
    expect(unknown.warnings).toEqual([
      {
        code: 'OPTION_UNKNOWN',
        overlay_id: 'id-colour',
        message: 'The field colour has no such option; it has "red", "green", "blue".',
      },
    ]);
    const untickable = row(flat, '', '', '', '', '', 'mauve');
    expect(untickable.warnings).toMatchObject([{ code: 'OPTION_UNKNOWN', overlay_id: 'id-agree' }]);
    // Messages must not contain values of the row, because operators see them too (CON15).
    expect(JSON.stringify([unknown, untickable])).not.toContain('mauve');
  });

  it('[FILL51] an unticked flattened box without a picture of that state: empty', async () => {
    const source = latin1(formPdf()).replace(
      /\/AS\/Off\/V\/Off\/AP<<\/N<<\/Accepted (\d+) 0 R\/Off \d+ 0 R>>>>/,
      '/AS/Accepted/V/Accepted/AP<</N<</Accepted $1 0 R>>>>',
    );
    expect(source).not.toBe(latin1(formPdf()));
    const ticked = await prepareForTest(
      Buffer.from(source, 'latin1'),
      { form_fields },
      { flattenForms: true },
    );
    const slot = ticked.base.facts.forms.fields.find(({ name }) => name === 'agree')?.widgets[0]?.slot;
    const body = (bytes: Uint8Array) =>
      latin1(bytes).split(`\n${slot?.num} 0 obj\n`).at(-1)?.split('endobj')[0] ?? '';
    expect(body(ticked.base.bytes)).toContain('/A Do');
    expect(body(ticked.pdf('', '', '', '', '', 'no'))).not.toContain('/A Do');
  });

  it.each([
    ['U', '1 w 0 .5 m 200 .5 l S'],
    ['D/D[4 2]', '1 w [4 2] 0 d .5 .5 199 19 re S'],
    ['B', '1 g 1 1 m 1 19 l 199 19 l'],
    ['I', '.75 g 199 19 m 199 1 l 1 1 l'],
  ])('[FILL49] a border of style /%s: drawn in that style', async (style, operators) => {
    const source = latin1(formPdf()).replace('/T(amount)/Q 2', `/T(amount)/BS<</S/${style}>>/Q 2`);
    const styled = await prepareForTest(Buffer.from(source, 'latin1'), { form_fields });
    expect(tailOf(styled, '', '', '', '5')).toContain(operators);
  });
});
