import { describe, expect, it } from 'vitest';
import { type LayoutInput, layoutSchema } from '../package/layout-schema.ts';
import { checkMappedCells, mappedColumns } from './check-cells.ts';
import { compileOptions, compileTick } from './match-option.ts';
import { compileValue } from './resolve-value.ts';
import type { Cell } from './row-cells.ts';
import { compileShowIf } from './show-if.ts';
import { WorkBudget } from './work-budget.ts';

const cells = (members: Record<string, Cell>) => new Map(Object.entries(members));
const box = { page: 1, x: 0, y: 0, width: 10, height: 10 };

describe('[FILL9] values', () => {
  it('are static, a column, or a template with blanks left empty', () => {
    const row = cells({ column_0: 'Ann', column_2: 'X' });
    expect(compileValue({ static: 'LOT' })(row)).toBe('LOT');
    expect(compileValue({ column: 'column_0' })(row)).toBe('Ann');
    expect(compileValue({ column: 'column_1' })(row)).toBe('');
    expect(compileValue({ template: '{{column_0}} {{column_1}}/{{ column_2 }} {x}' })(row)).toBe(
      'Ann /X {x}',
    );
  });

  it('are not read as templates when they come from a cell', () => {
    const row = cells({ column_0: '{{column_1}}', column_1: 'secret' });
    expect(compileValue({ template: 'a {{column_0}}' })(row)).toBe('a {{column_1}}');
  });

  it('take a number or date format, also inside templates, and keep what the format cannot read', () => {
    const amount = { number: '#,##0.00', decimal: ',', group: '.' } as const;
    const row = cells({ column_0: '1234.5', column_1: 'on request', column_2: '2026-02-08' });
    expect(compileValue({ column: 'column_0' }, amount)(row)).toBe('1.234,50');
    expect(compileValue({ column: 'column_1' }, amount)(row)).toBe('on request');
    expect(compileValue({ template: 'Sum: {{column_0}}' }, amount)(row)).toBe('Sum: 1.234,50');
    expect(compileValue({ column: 'column_3' }, amount)(row)).toBe('');
    expect(compileValue({ column: 'column_2' }, { date: 'D.M.YY' })(row)).toBe('8.2.26');
    expect(compileValue({ static: '08/02/2026' }, { date: 'D.M.YY', input: 'DD/MM/YYYY' })(row)).toBe(
      '8.2.26',
    );
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

  it('is true when there is none', () => {
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

  it('[FILL13] are those that values and conditions name; left-out stickers name none', () => {
    const columns = ['column_3', 'column_1', 'column_0', 'column_5', 'column_6'];
    expect(mappedColumns(mapped, { includeStickers: false })).toEqual(columns);
    expect(mappedColumns(mapped, { includeStickers: true })).toEqual(
      expect.arrayContaining([...columns, 'column_7']),
    );
  });

  it('[FILL13] fail their row when they hold an object or array; others may', () => {
    const row = cells({ column_0: { json: '[1]' }, column_1: 'x' });
    expect(checkMappedCells(row, ['column_0'], 10)).toMatchObject({
      column: 'column_0',
      error: { code: 'ROW_VALUE_INVALID' },
    });
    expect(checkMappedCells(row, ['column_1', 'column_2'], 10)).toBeNull();
  });

  it('[FILL14] fail their row above the character limit, counted in code points', () => {
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

  it('a box without an export value: usual words tick and untick, in any case', () => {
    for (const text of ['true', 'YES', 'y', '1', ' x ', 'On', '✓']) expect(tick()(text), text).toBe('on');
    for (const text of ['false', 'No', 'n', '0', 'off', '', '  ']) expect(tick()(text), text).toBe('off');
    expect(tick()('maybe')).toBe('unknown');
  });

  it('a box with an export value: it ticks before the words, trimmed and in any case', () => {
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

  it('choose by export value, then label, then loosely; blank clears', () => {
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
  it('is a count of work per row, not of time', () => {
    const budget = new WorkBudget({ glyphs: 10, modules: 5, pixels: 1 });
    expect(budget.spend('glyphs', 10)).toBe(true);
    expect(budget.spend('modules', 5)).toBe(true);
    expect(budget.spend('glyphs', 1)).toBe(false);
  });
});
