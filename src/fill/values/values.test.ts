import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../draw/work-budget.ts';
import { mappedColumns } from '../mapped-columns.ts';
import type { ColumnInput } from '../package/column-input-schema.ts';
import {
  type LayoutInput,
  layoutSchema,
  type ValueFormat,
  type ValueSource,
} from '../package/layout-schema.ts';
import { checkMappedCells } from './check-cells.ts';
import { columnReadings } from './column-readings.ts';
import { DecimalSignFinder, type DecimalSigns, signsOf, undeclaredNumberColumns } from './decimal-signs.ts';
import { compileOptions, compileTick } from './match-option.ts';
import { compileValue, NO_NOTES } from './resolve-value.ts';
import type { Cell } from './row-cells.ts';
import { compileShowIf } from './show-if.ts';

const cells = (members: Record<string, Cell>) => new Map(Object.entries(members));
const box = { page: 1, x: 0, y: 0, width: 10, height: 10 };

describe('[FILL9] values', () => {
  it('a static text, a column, or a template: blanks stay empty', () => {
    const row = cells({ column_0: 'Ann', column_2: 'X' });
    expect(compileValue({ static: 'LOT' })(row, NO_NOTES)).toBe('LOT');
    expect(compileValue({ column: 'column_0' })(row, NO_NOTES)).toBe('Ann');
    expect(compileValue({ column: 'column_1' })(row, NO_NOTES)).toBe('');
    expect(compileValue({ template: '{{column_0}} {{column_1}}/{{ column_2 }} {x}' })(row, NO_NOTES)).toBe(
      'Ann /X {x}',
    );
  });

  it('a template in a cell: not expanded', () => {
    const row = cells({ column_0: '{{column_1}}', column_1: 'secret' });
    expect(compileValue({ template: 'a {{column_0}}' })(row, NO_NOTES)).toBe('a {{column_1}}');
  });

  it('a number or date format, even inside templates: applied; other text is unchanged', () => {
    const amount = { number: '#,##0.00', decimal: ',', group: '.' } as const;
    const row = cells({ column_0: '1234.5', column_1: 'on request', column_2: '2026-02-08' });
    expect(compileValue({ column: 'column_0' }, amount)(row, NO_NOTES)).toBe('1.234,50');
    expect(compileValue({ column: 'column_1' }, amount)(row, NO_NOTES)).toBe('on request');
    expect(compileValue({ template: 'Sum: {{column_0}}' }, amount)(row, NO_NOTES)).toBe('Sum: 1.234,50');
    expect(compileValue({ column: 'column_3' }, amount)(row, NO_NOTES)).toBe('');
    expect(compileValue({ column: 'column_2' }, { date: 'D.M.YY' })(row, NO_NOTES)).toBe('8.2.26');
    expect(
      compileValue({ static: '08/02/2026' }, { date: 'D.M.YY', input: 'DD/MM/YYYY' })(row, NO_NOTES),
    ).toBe('8.2.26');
  });
});

describe('[FILL150] values that their format cannot read', () => {
  const amount = { number: '0.00', decimal: '.', group: '' } as const;
  const read = (source: ValueSource, format: ValueFormat, text: string, signs?: DecimalSigns) => {
    const notes: string[] = [];
    const shown = compileValue(
      source,
      format,
      signs,
    )(cells({ column_0: text }), {
      note: (code, message) => notes.push(`${code}: ${message}`),
    });
    return { shown, notes };
  };

  it('a word as a number: shown unchanged, with a note that names the column but not the value', () => {
    expect(read({ column: 'column_0' }, amount, 'on request')).toEqual({
      shown: 'on request',
      notes: [
        'VALUE_FORMAT_UNREAD: column_0 is not a number that can be read with certainty; it is shown unchanged.',
      ],
    });
  });

  it('a day that does not exist: shown unchanged, with a note that names the patterns', () => {
    const date = { date: 'D MMMM YYYY', input: 'DD.MM.YYYY' };
    expect(read({ column: 'column_0' }, date, '31.02.1990')).toEqual({
      shown: '31.02.1990',
      notes: [
        'VALUE_FORMAT_UNREAD: column_0 is not a date written DD.MM.YYYY or YYYY-MM-DD; it is shown unchanged.',
      ],
    });
    expect(read({ column: 'column_0' }, date, '1990-02-28')).toEqual({
      shown: '28 February 1990',
      notes: [],
    });
  });

  it('blank and white space: no note', () => {
    expect(read({ column: 'column_0' }, amount, '')).toEqual({ shown: '', notes: [] });
    expect(read({ column: 'column_0' }, amount, '  ')).toEqual({ shown: '  ', notes: [] });
    expect(read({ template: 'Sum {{column_1}}' }, amount, '')).toEqual({ shown: 'Sum ', notes: [] });
  });

  it('a column twice in a template: one note', () => {
    const { shown, notes } = read({ template: '{{column_0}}/{{column_0}}' }, amount, 'x');
    expect(shown).toBe('x/x');
    expect(notes).toHaveLength(1);
  });

  it('a fixed value: read with its decimal sign, or noted in every row', () => {
    expect(read({ static: '1.234,5' }, amount, '')).toEqual({ shown: '1234.50', notes: [] });
    expect(read({ static: 'x' }, amount, '').notes).toEqual([
      "VALUE_FORMAT_UNREAD: The layout's own value is not a number that can be read with certainty; it is shown unchanged.",
    ]);
  });

  it('a declared decimal sign: overrides the one found in the rows', () => {
    const declared = { ...amount, input_decimal: '.' } as const;
    expect(read({ column: 'column_0' }, declared, '1.234', { column_0: ',' }).shown).toBe('1.23');
    expect(read({ column: 'column_0' }, amount, '1.234', { column_0: ',' }).shown).toBe('1234.00');
    expect(read({ column: 'column_0' }, declared, '1.234,5').notes).toEqual([
      'VALUE_FORMAT_UNREAD: column_0 is not a number with a decimal point that can be read with certainty; it is shown unchanged.',
    ]);
  });
});

describe('[FILL151] decimal signs of columns', () => {
  const found = (...values: Cell[]) => {
    const finder = new DecimalSignFinder();
    for (const value of values) finder.see('column_0', value);
    return finder.signs().column_0 ?? '.';
  };

  it.each([
    ['only whole numbers', ['12', '1 234', '-7'], '.'],
    ['values that fit both signs', ['1.234', '12,345'], '.'],
    ['one value that fits only the comma', ['12', '1.234', '0,5'], ','],
    ['one value that fits only the point', ['12', '1,234', '0.5'], '.'],
    ['values of both kinds', ['0,5', '0.5'], 'mixed'],
    [
      'words, dates and structured cells in addition to commas',
      ['n/a', '31.12.2026', { json: '[1.5]' }, '0,5'],
      ',',
    ],
  ] as const)('%s: %s', (_, values, expected) => {
    expect(found(...values)).toBe(expected);
  });

  it('keys that layouts cannot refer to: not counted', () => {
    const finder = new DecimalSignFinder();
    finder.see('price', '0,5');
    expect(finder.signs()).toEqual({});
  });

  it('a layout: tracks the columns that it formats as numbers without a declared sign', () => {
    const number = { number: '0' };
    const layout = layoutSchema.parse({
      format: 'rowpress.layout',
      version: 1,
      overlays: [
        { id: 'a', type: 'text', ...box, value: { column: 'column_1' }, format: number },
        {
          id: 'b',
          type: 'text',
          ...box,
          value: { column: 'column_2' },
          format: { ...number, input_decimal: ',' },
        },
        { id: 'c', type: 'text', ...box, value: { column: 'column_3' }, format: { date: 'D' } },
        { id: 'd', type: 'text', ...box, value: { column: 'column_5' } },
      ],
      form_fields: [{ id: 'e', field: 'f', value: { template: '{{column_4}}' }, format: number }],
    } satisfies LayoutInput);
    const columns = undeclaredNumberColumns(layout);
    expect(columns).toEqual(['column_1', 'column_4']);
    expect(signsOf(columns, { column_4: ',', column_5: 'mixed' })).toEqual({ column_4: ',' });
    expect(signsOf(columns, { column_5: ',' })).toBeUndefined();
  });
});

describe('[FILL230] the input that a column declares', () => {
  const declared = (input: ColumnInput) => ({ columns: [{ key: 'column_0', label: '', input }] });
  const read = (input: ColumnInput, format: ValueFormat, text: string) => {
    const notes: string[] = [];
    const readings = columnReadings(declared(input), { column_0: ',' });
    const shown = compileValue(
      { column: 'column_0' },
      format,
      readings,
    )(cells({ column_0: text }), {
      note: (_, message) => notes.push(message),
    });
    return notes.length === 0 ? shown : notes[0];
  };
  const amount = { number: '0.00', decimal: '.', group: '' } as const;

  it('dates: are read by its pattern, and always as ISO 8601; a pattern of the format takes precedence', () => {
    const dates = { type: 'date', pattern: 'MM/DD/YYYY' } as const;
    expect(read(dates, { date: 'D MMMM YYYY' }, '03/04/2026')).toBe('4 March 2026');
    expect(read(dates, { date: 'D MMMM YYYY' }, '2026-04-03')).toBe('3 April 2026');
    expect(read(dates, { date: 'D MMMM YYYY', input: 'DD/MM/YYYY' }, '03/04/2026')).toBe('3 April 2026');
    expect(read(dates, { date: 'D' }, 'soon')).toBe(
      'column_0 is not a date written MM/DD/YYYY or YYYY-MM-DD; it is shown unchanged.',
    );
  });

  it('numbers: are read with its sign instead of the detected one; text is not formatted', () => {
    expect(read({ type: 'number', decimal: '.' }, amount, '1.234')).toBe('1.23');
    expect(read({ type: 'number', decimal: ',' }, amount, '1.234')).toBe('1234.00');
    expect(read({ type: 'number', decimal: '.' }, { ...amount, input_decimal: ',' }, '1,5')).toBe('1.50');
    expect(read({ type: 'text' }, amount, '007')).toBe('007');
  });

  it('a template: reads each column as it declares', () => {
    const columns = [
      { key: 'column_0', label: '', input: { type: 'date', pattern: 'DD/MM/YYYY' } as const },
      { key: 'column_1', label: '', input: { type: 'date', pattern: 'MM/DD/YYYY' } as const },
    ];
    const source = { template: '{{column_0}}–{{column_1}}' };
    const value = compileValue(source, { date: 'D MMM' }, columnReadings({ columns }, undefined));
    expect(value(cells({ column_0: '01/02/2026', column_1: '01/02/2026' }), NO_NOTES)).toBe('1 Feb–2 Jan');
  });

  it('its sign: is not determined from the rows', () => {
    const box = { page: 1, x: 0, y: 0, width: 9, height: 9 };
    const layout = layoutSchema.parse({
      format: 'rowpress.layout',
      version: 1,
      ...declared({ type: 'number', decimal: ',' }),
      overlays: [{ id: 'a', type: 'text', ...box, value: { column: 'column_0' }, format: amount }],
    });
    expect(undeclaredNumberColumns(layout)).toEqual([]);
  });
});

describe('[FILL12] show-if', () => {
  const row = cells({ column_0: ' yes ', column_1: 'B' });
  it.each([
    [{ column: 'column_0', equals: 'yes' }, true],
    [{ column: 'column_0', equals: 'Yes' }, false],
    [{ column: 'column_0', not_equals: 'yes' }, false],
    [{ column: 'column_1', in: ['A', 'B'] }, true],
    [{ column: 'column_1', not_in: ['A', 'B'] }, false],
    [{ column: 'column_9', blank: true }, true],
    [{ column: 'column_9', blank: false }, false],
    [{ column: 'column_9', equals: '' }, true],
    [
      {
        all: [
          { column: 'column_0', equals: 'yes' },
          { column: 'column_1', equals: 'A' },
        ],
      },
      false,
    ],
    [
      {
        any: [
          { column: 'column_0', equals: 'no' },
          { column: 'column_1', equals: 'B' },
        ],
      },
      true,
    ],
  ])('%j is %s', (showIf, expected) => {
    expect(compileShowIf(showIf)(row)).toBe(expected);
  });

  it('no condition: true', () => {
    expect(compileShowIf(undefined)(row)).toBe(true);
  });
});

describe('mapped cells', () => {
  const layout = (input: Partial<LayoutInput>) =>
    layoutSchema.parse({ format: 'rowpress.layout', version: 1, ...input });
  const mapped = layout({
    overlays: [
      { id: 'a', type: 'text', ...box, value: { template: '{{column_3}} {{column_1}}' } },
      {
        id: 'b',
        type: 'qr',
        ...box,
        value: { column: 'column_0' },
        show_if: { column: 'column_5', blank: true },
      },
      { id: 'c', type: 'sticker', ...box, value: { column: 'column_7' } },
    ],
    form_fields: [
      {
        id: 'f',
        field: 'f',
        value: { column: 'column_1' },
        show_if: { any: [{ column: 'column_6', blank: true }] },
      },
    ],
  });

  it('[FILL13] columns in values and conditions: mapped; those of excluded stickers are not', () => {
    const columns = ['column_3', 'column_1', 'column_0', 'column_5', 'column_6'];
    expect(mappedColumns(mapped, { includeStickers: false })).toEqual(columns);
    expect(mappedColumns(mapped, { includeStickers: true })).toEqual(
      expect.arrayContaining([...columns, 'column_7']),
    );
  });

  it('[FILL13] an object or array in a mapped cell: fails the row; in other cells it does not', () => {
    const row = cells({ column_0: { json: '[1]' }, column_1: 'x' });
    expect(checkMappedCells(row, ['column_0'], 10)).toMatchObject({
      column: 'column_0',
      error: { code: 'ROW_VALUE_INVALID' },
    });
    expect(checkMappedCells(row, ['column_1', 'column_2'], 10)).toBeNull();
  });

  it('[FILL14] a mapped cell above the character limit, in code points: fails the row', () => {
    expect(checkMappedCells(cells({ column_0: '😀'.repeat(10) }), ['column_0'], 10)).toBeNull();
    expect(checkMappedCells(cells({ column_0: '😀'.repeat(11) }), ['column_0'], 10)).toMatchObject({
      error: { code: 'ROW_VALUE_TOO_LONG' },
    });
    expect(checkMappedCells(cells({ column_0: 'x'.repeat(21) }), ['column_0'], 10)).toMatchObject({
      error: { code: 'ROW_VALUE_TOO_LONG' },
    });
    expect(checkMappedCells(cells({ column_1: 'x'.repeat(21) }), ['column_0'], 10)).toBeNull();
  });
});

describe('[FILL15] options of native and drawn fields', () => {
  const tick = (...values: string[]) => compileTick(values.map((value) => ({ value, label: value })));

  it('a box without an export value: the usual words tick and untick, case-insensitively', () => {
    for (const text of ['true', 'YES', 'y', '1', ' x ', 'On', '✓']) expect(tick()(text), text).toBe('on');
    for (const text of ['false', 'No', 'n', '0', 'off', '', '  ']) expect(tick()(text), text).toBe('off');
    expect(tick()('maybe')).toBe('unknown');
  });

  it('a box with an export value: the value takes precedence over the words, trimmed and case-insensitive', () => {
    expect(tick('Accepted')('Accepted')).toBe('on');
    expect(tick('Accepted')(' accepted ')).toBe('on');
    for (const value of ['No', 'N', '0', 'Off', 'false']) {
      expect(tick(value)(value), value).toBe('on');
      expect(tick(value)(` ${value.toUpperCase()} `), value).toBe('on');
      expect(tick(value)('yes'), value).toBe('on');
      expect(tick(value)(''), value).toBe('off');
    }
    expect(tick('No')('n')).toBe('off');
    expect(tick('off-site')('off')).toBe('off');
  });

  it('options: matched by export value, then label, then loosely; a blank clears', () => {
    const match = compileOptions([
      { value: 'DE', label: 'Germany' },
      { value: 'Germany', label: 'Other' },
      { value: 'fr', label: 'France' },
    ]);
    expect(match('DE')).toBe(0);
    expect(match('Germany')).toBe(1);
    expect(match('France')).toBe(2);
    expect(match(' FRANCE ')).toBe(2);
    expect(match(' ')).toBe('clear');
    expect(match('Spain')).toBe('unknown');
  });
});

describe('[FILL16] the work budget', () => {
  it('any row: limited by its amount of work, not by time', () => {
    const budget = new WorkBudget({ glyphs: 10, modules: 5, pixels: 1, 'table marks': 1 });
    expect(budget.spend('glyphs', 10)).toBe(true);
    expect(budget.spend('modules', 5)).toBe(true);
    expect(budget.spend('glyphs', 1)).toBe(false);
  });
});
