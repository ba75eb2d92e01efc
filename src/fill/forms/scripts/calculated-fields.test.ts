import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../../test/support/drawn-row-pdf.ts';
import { type PreparedFill, prepareForTest } from '../../../../test/support/prepared.ts';
import { pageTexts, readFields } from '../../../../test/support/read-pdf.ts';
import { sourcePdf, type TestField } from '../../../../test/support/source-pdf.ts';

const NUMBER = 'AFNumber_Format(2, 0, 0, 0, "$", true);';
const script = (key: string, text: string) => `/${key}<</S/JavaScript/JS(${text})>>`;
let line = 0;
const field = (name: string, scripts: { C?: string; F?: string } = {}, extra = ''): TestField => {
  line += 1;
  const top = 760 - (line % 30) * 24;
  const actions = Object.entries(scripts).map(([key, text]) => script(key, text));
  return {
    name,
    kind: 'text',
    rects: [[50, top - 20, 250, top]],
    extra: `${extra}${actions.length > 0 ? `/AA<<${actions.join('')}>>` : ''}`,
  };
};
const sum = (...names: string[]) =>
  `AFSimple_Calculate("SUM", new Array(${names.map((name) => `"${name}"`).join(', ')}));`;
const mapped = (...names: string[]) => ({
  form_fields: names.map((name, index) => ({
    id: `id-${name}`,
    field: name,
    value: { column: `column_${index}` },
  })),
});
const warnings = (fill: PreparedFill, ...values: string[]) =>
  fill.filler.fill(1, cellsOf(...values)).result.warnings;
/** The text that a reader shows for the flattened form. */
const shown = async (fields: TestField[], names: string[], ...values: string[]) => {
  const flat = await prepareForTest(sourcePdf({ fields }), mapped(...names), { flattenForms: true });
  return (await pageTexts(flat.pdf(...values))).join(' ');
};

describe('formats of native fields', () => {
  const fields = [field('amount', { F: NUMBER }), field('due', { F: 'AFDate_FormatEx("dd.mm.yyyy");' })];

  it('[FILL125] a mapped field with a number or date format: shown formatted, stored unchanged', async () => {
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('amount', 'due'));
    expect(await readFields(fill.pdf('1234.5', '2026-02-08'))).toMatchObject({
      amount: '1234.5',
      due: '2026-02-08',
    });
    expect(warnings(fill, '1234.5', '2026-02-08')).toEqual([]);
    const text = await shown(fields, ['amount', 'due'], '1234.5', '2026-02-08');
    expect(text).toContain('$1,234.50');
    expect(text).toContain('08.02.2026');
  });

  it('[FILL125] a value that the format does not accept: shown unchanged, with a note', async () => {
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('amount', 'due'));
    expect(warnings(fill, 'a lot', '').map(({ code, overlay_id }) => `${overlay_id} ${code}`)).toEqual([
      'id-amount VALUE_FORMAT_UNREAD',
    ]);
    expect(JSON.stringify(warnings(fill, 'a lot'))).not.toContain('a lot');
    expect(await shown(fields, ['amount'], 'a lot')).toContain('a lot');
  });

  it('[FILL125] a negative number in a field that shows negative numbers in red: drawn in red', async () => {
    const red = [field('net', { F: 'AFNumber_Format(2, 0, 1, 0, "", true);' })];
    const fill = await prepareForTest(sourcePdf({ fields: red }), mapped('net'));
    const tail = (value: string) =>
      Buffer.from(fill.filler.fill(1, cellsOf(value)).tail ?? []).toString('latin1');
    expect(tail('-5')).toContain('1 0 0 rg');
    expect(tail('5')).not.toContain('1 0 0 rg');
  });

  it('[FILL125] the output: contains no scripts', async () => {
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('amount'));
    expect(Buffer.from(fill.pdf('1')).toString('latin1')).not.toMatch(/JavaScript|AFNumber/);
  });
});

describe('calculated fields', () => {
  const form = [
    field('total', { C: sum('net', 'tax'), F: NUMBER }),
    field('net', { C: sum('lines') }),
    field('lines.a'),
    field('lines.b'),
    field('tax', {}, '/V(0.30)'),
  ];

  it('[FILL126] fields that depend on mapped ones: calculated in order, stored raw, shown formatted', async () => {
    const fill = await prepareForTest(sourcePdf({ fields: form }), mapped('lines.a', 'lines.b'));
    expect(await readFields(fill.pdf('0.1', '1000.2'))).toMatchObject({
      net: '1000.3',
      total: '1000.6',
      tax: '0.30',
    });
    expect(fill.filler.fill(1, cellsOf('0.1', '1000.2')).result).toMatchObject({
      status: 'success',
      applied_overlay_count: 2,
      warnings: [],
    });
    expect(await shown(form, ['lines.a', 'lines.b'], '0.1', '1000.2')).toContain('$1,000.60');
  });

  it.each([
    ['SUM', '6.5'],
    ['AVG', '2.166667'],
    ['PRD', '9'],
    ['MIN', '1.5'],
    ['MAX', '3'],
  ])('[FILL126] %s of 1.5, 2 and 3: %s', async (operation, expected) => {
    const inputs = [field('a'), field('b'), field('c', {}, '/V(3)')];
    const fields = [...inputs, field('r', { C: `AFSimple_Calculate("${operation}", "a, b, c");` })];
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('a', 'b'));
    expect(await readFields(fill.pdf('1.5', '2'))).toMatchObject({ r: expected });
  });

  it('[FILL126] a blank input: counts as 0; an input that is not a number does too, with a note', async () => {
    const fill = await prepareForTest(sourcePdf({ fields: form }), mapped('lines.a', 'lines.b'));
    expect(await readFields(fill.pdf('', '2'))).toMatchObject({ net: '2', total: '2.3' });
    expect(warnings(fill, '', '2')).toEqual([]);
    expect(warnings(fill, 'many', '2')).toMatchObject([
      {
        code: 'VALUE_FORMAT_UNREAD',
        overlay_id: 'id-lines.a',
        message: expect.stringContaining('the field net'),
      },
    ]);
  });

  it('[FILL126] a mapped calculated field: contains the row’s value', async () => {
    const fill = await prepareForTest(sourcePdf({ fields: form }), mapped('lines.a', 'total'));
    expect(await readFields(fill.pdf('5', '77'))).toMatchObject({ net: '5', total: '77' });
  });

  it('[FILL126] a cycle of calculations: terminates', async () => {
    const circle = [field('a'), field('x', { C: sum('a', 'y') }), field('y', { C: sum('x') }, '/V(1)')];
    const fill = await prepareForTest(sourcePdf({ fields: circle }), mapped('a'));
    expect(fill.filler.fill(1, cellsOf('2')).result.status).toBe('success');
  });
});

describe('unsupported scripts', () => {
  it.each([
    [
      'has an unsupported format',
      [field('a', { F: 'event.value = "x" + event.value;' })],
      'The field a is formatted',
    ],
    ['has an unsupported calculation', [field('a', { C: 'event.value = 1;' })], 'The field a is calculated'],
    [
      'is an input of an unsupported calculation',
      [field('a'), field('t', { C: 'event.value = this.getField("a").value * 2;' })],
      'The field t is calculated',
    ],
    [
      'may be an input of an unsupported calculation',
      [field('a'), field('t', { C: 'for (var i in x) s += this.getField("a" + i).value;' })],
      'The field t is calculated',
    ],
    [
      'is an input of a calculated field with an unsupported format',
      [field('a'), field('t', { C: sum('a'), F: 'event.value += "!";' })],
      'The field t is formatted',
    ],
  ])('[FILL127] a mapped field that %s: each row has a note', async (_, fields, message) => {
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('a'));
    expect(fill.filler.fill(1, cellsOf('5')).result).toMatchObject({
      status: 'success',
      warnings: [
        { code: 'CALCULATION_REMOVED', overlay_id: 'id-a', message: expect.stringContaining(message) },
      ],
    });
  });

  it('[FILL127] an unsupported script without mapped inputs: no note', async () => {
    const fields = [field('a'), field('b'), field('t', { C: 'event.value = this.getField("b").value * 2;' })];
    const fill = await prepareForTest(sourcePdf({ fields }), mapped('a'));
    expect(warnings(fill, '5')).toEqual([]);
  });
});
