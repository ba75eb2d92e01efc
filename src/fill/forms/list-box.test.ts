import { beforeAll, describe, expect, it } from 'vitest';
import { choiceForm, MULTI_SELECT } from '../../../test/support/choice-form.ts';
import { cellsOf } from '../../../test/support/drawn-row-pdf.ts';
import { type PreparedFill, prepareForTest } from '../../../test/support/prepared.ts';
import { pageTexts, readFields } from '../../../test/support/read-pdf.ts';
import { topOption } from './list-box.ts';

// Lines of 12 pt type are 14.4 pt high: 60 pt show four of them.
const names = Array.from({ length: 10 }, (_, index) => `[(o${index})(Option ${index})]`).join('');
const source = choiceForm([
  { name: 'one', flags: 0, opt: `${names}[(a;b)(Both; of them)]`, height: 60 },
  { name: 'many', flags: MULTI_SELECT, opt: names, height: 60, extra: '/TI 2' },
]);
const form_fields = ['one', 'many'].map((field, index) => ({
  id: `id-${field}`,
  field,
  value: { column: `column_${index}` },
}));
const hex = (text: string) => `<${Buffer.from(text).toString('hex')}>`;
const HIGHLIGHT = '.6 .757 .855 rg';

describe('native list boxes', () => {
  let fill: PreparedFill;
  let flat: PreparedFill;
  beforeAll(async () => {
    fill = await prepareForTest(source, { form_fields });
    flat = await prepareForTest(source, { form_fields }, { flattenForms: true });
  });
  const tail = (...values: string[]) =>
    Buffer.from(fill.pdf(...values).subarray(fill.base.bytes.length)).toString('latin1');
  const codes = (...values: string[]) =>
    fill.filler
      .fill(1, cellsOf(...values))
      .result.warnings.map(({ overlay_id, code }) => `${overlay_id} ${code}`);

  it('[FILL104] one option: stored as a text with its index, and shown on a coloured background', async () => {
    const row = tail('option 1');
    expect(row).toContain(`/V ${hex('o1')}/I[1]>>`);
    expect(row.split(HIGHLIGHT)).toHaveLength(2);
    expect(await readFields(fill.pdf('o1'))).toMatchObject({ one: ['o1'] });
    const [shown] = await pageTexts(flat.pdf('o1', 'o3'));
    for (const label of ['Option 0', 'Option 3', 'Option 5']) expect(shown).toContain(label);
    expect(shown).not.toContain('Option 6');
  });

  it('[FILL104] several options: stored in the order of the list', async () => {
    const row = tail('', ' o5 ;Option 3; o4;o5;');
    expect(row).toContain(`/V[${hex('o3')} ${hex('o4')} ${hex('o5')}]/I[3 4 5]/TI 2>>`);
    expect(await readFields(fill.pdf('', 'o3;o5'))).toMatchObject({ many: ['o3', 'o5'] });
    expect(codes('', 'o3;o5')).toEqual([]);
  });

  it('[FILL104] an option that contains a semicolon: chosen as one option', () => {
    expect(tail('both; of them')).toContain(`/V ${hex('a;b')}/I[10]/TI 7>>`);
    expect(tail('a;b')).toContain(`/V ${hex('a;b')}/I[10]`);
  });

  it('[FILL104] several options for a single-choice list, or an unknown option: the field is skipped', () => {
    expect(codes('o1;o2')).toEqual(['id-one OPTION_UNKNOWN']);
    expect(codes('', 'o1;nothing')).toEqual(['id-many OPTION_UNKNOWN']);
    expect(codes(';', ';')).toEqual(['id-one OPTION_UNKNOWN', 'id-many OPTION_UNKNOWN']);
    expect(tail('o1;o2', 'x')).not.toMatch(/\/V\b/);
    expect(tail('o1;o1')).toContain('/I[1]');
  });

  it('[FILL104] a blank: clears the choice', async () => {
    const chosen = choiceForm([{ name: 'one', flags: 0, opt: names, height: 60, extra: '/V(o2)/I[2]' }]);
    const { pdf, base } = await prepareForTest(chosen, { form_fields: form_fields.slice(0, 1) });
    const row = Buffer.from(pdf('').subarray(base.bytes.length)).toString('latin1');
    expect(row).not.toMatch(/\/V\b|\/I\[/);
    expect(row).not.toContain(HIGHLIGHT);
    expect(await readFields(pdf(''))).toMatchObject({ one: [] });
  });

  it('[FILL104] more chosen options than the box shows: the first is shown, with a note', () => {
    expect(codes('', 'o1;o9')).toEqual(['id-many TEXT_CLIPPED']);
    expect(tail('', 'o1;o9')).toContain('/I[1 9]/TI 1>>');
    expect(codes('o9', 'o9')).toEqual([]);
  });

  it('[FILL104] a value without a picture: the engine draws it', async () => {
    const bare = choiceForm([
      { name: 'many', flags: MULTI_SELECT, opt: names, height: 60, extra: '/V[(o0)(o1)]' },
    ]);
    const { base } = await prepareForTest(bare, {});
    const text = Buffer.from(base.bytes).toString('latin1');
    expect(text).toContain(HIGHLIGHT);
    expect(text.split(HIGHLIGHT)[1]?.match(/ re\b/g)?.slice(0, 2)).toHaveLength(2);
    const [shown] = await pageTexts((await prepareForTest(bare, {}, { flattenForms: true })).pdf());
    expect(shown).toContain('Option 3');
  });

  it.each([
    [undefined, 2, 4, 10, 2],
    [3, 2, 4, 10, 2],
    [1, 2, 4, 10, 1],
    [9, 0, 4, 10, 6],
    [0, 5, 20, 10, 0],
    [undefined, 50, 4, 10, 9],
  ])(
    '[FILL104] first choice %s, scrolled to %i, %i of %i shown: begins with %i',
    (first, top, shown, count, result) => {
      expect(topOption(first, top, shown, count)).toBe(result);
    },
  );
});
