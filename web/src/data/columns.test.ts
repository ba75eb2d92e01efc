import { describe, expect, it } from 'vitest';
import { layoutSchema, type SourceMetadata } from '#fill/package/layout-schema.ts';
import { ColumnCounter } from '../core/columns/column-facts.ts';
import { emptyLayout } from '../project/project.ts';
import { columnUsage } from './column-usage.ts';
import { matchColumns } from './match-columns.ts';
import { withColumns } from './with-columns.ts';

const layout = layoutSchema.parse({
  format: 'rowpress.layout',
  version: 1,
  columns: [
    { key: 'column_0', label: 'First name' },
    { key: 'column_1', label: 'Town' },
  ],
  overlays: [
    {
      id: 'a',
      type: 'text',
      page: 1,
      x: 0,
      y: 0,
      width: 9,
      height: 9,
      value: { template: '{{column_0}} {{column_4}}' },
    },
    {
      id: 'b',
      type: 'text',
      page: 1,
      x: 0,
      y: 0,
      width: 9,
      height: 9,
      value: { static: '' },
      show_if: { column: 'column_0', blank: false },
    },
  ],
});

describe('columns and the fields that read them', () => {
  it('knows who reads which, in values and conditions, and what the file lacks', () => {
    const usage = columnUsage(layout, 2);
    expect([...usage.readers]).toEqual([
      ['column_0', ['a', 'b']],
      ['column_4', ['a']],
    ]);
    expect(usage.missing).toEqual(['column_4']);
  });

  it('[EDT3] a table: reads every column that one of its columns shows', () => {
    const columns = [{ value: { column: 'column_1' } }, { value: { template: '{{column_0}} {{column_2}}' } }];
    const table = { id: 't', type: 'table', page: 1, x: 0, y: 0, width: 9, height: 9, columns };
    const withTable = layoutSchema.parse({ ...layout, overlays: [table] });
    expect([...columnUsage(withTable, 2).readers.keys()]).toEqual(['column_1', 'column_0', 'column_2']);
    expect(columnUsage(withTable, 2).missing).toEqual(['column_2']);
  });

  it('maps form fields by name, whatever the case and the signs, and leaves the rest', () => {
    const source: SourceMetadata = {
      sha256: '0'.repeat(64),
      page_count: 1,
      pages: [],
      signed: false,
      xfa: false,
      form_fields: [
        { name: 'employee.first_name', type: 'text' },
        { name: 'TOWN', type: 'dropdown' },
        { name: 'other', type: 'text' },
        { name: 'Town', type: 'signature' },
      ],
    };
    const { layout: matched, matched: count } = matchColumns(layout, source, 2);
    expect(count).toBe(2);
    expect(matched.form_fields).toEqual([
      { id: 'employee.first_name', field: 'employee.first_name', value: { column: 'column_0' } },
      { id: 'TOWN', field: 'TOWN', value: { column: 'column_1' } },
    ]);
    expect(matchColumns(matched, source, 2)).toEqual({ layout: matched, matched: 0 });
  });

  it('a form field bound by position: is bound to the column of its name instead', () => {
    const source: SourceMetadata = {
      sha256: '0'.repeat(64),
      page_count: 1,
      pages: [],
      signed: false,
      xfa: false,
      form_fields: [],
    };
    const bound = {
      ...layout,
      form_fields: [
        { id: 'a1', field: 'form.town', value: { column: 'column_0' } },
        { id: 'a2', field: 'First_Name', value: { column: 'column_1' } },
        { id: 'a3', field: 'other', value: { column: 'column_1' } },
        { id: 'a4', field: 'Town', value: { template: 'in {{column_0}}' } },
      ],
    };
    const { layout: matched, matched: count } = matchColumns(bound, source, 2);
    expect(count).toBe(2);
    expect(matched.form_fields.map(({ value }) => value)).toEqual([
      { column: 'column_1' },
      { column: 'column_0' },
      { column: 'column_1' },
      { template: 'in {{column_0}}' },
    ]);
    // A column that the file does not have, or a name that two columns have, binds nothing.
    expect(matchColumns(bound, source, 0).matched).toBe(0);
    const twice = { ...bound, columns: layout.columns.map(({ key }) => ({ key, label: 'TOWN' })) };
    expect(matchColumns(twice, source, 2).matched).toBe(0);
  });

  const NEW_FILE = { sameFile: false, isOrdered: false };

  it('a header: gives the labels; one that says the same changes nothing', () => {
    const named = withColumns(
      emptyLayout('x'),
      { header: [' Name ', ''], columnCount: 2, columnFacts: [] },
      NEW_FILE,
    );
    expect(named.columns).toEqual([
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: '' },
    ]);
    expect(withColumns(named, { header: ['NAME ', ''], columnCount: 2, columnFacts: [] }, NEW_FILE)).toBe(
      named,
    );
  });

  it('no header: another file keeps the labels, the same file read anew loses them', () => {
    const named = withColumns(
      emptyLayout('x'),
      { header: ['Name', 'Town'], columnCount: 2, columnFacts: [] },
      NEW_FILE,
    );
    expect(withColumns(named, { header: null, columnCount: 2, columnFacts: [] }, NEW_FILE)).toBe(named);
    const anew = { sameFile: true, isOrdered: false };
    expect(withColumns(named, { header: null, columnCount: 1, columnFacts: [] }, anew).columns).toEqual([
      { key: 'column_0', label: '' },
    ]);
  });

  it('columns in an order of the project: those in use keep their names, even one the file lacks', () => {
    const ordered = withColumns(
      layout,
      { header: ['Vorname', 'City'], columnCount: 2, columnFacts: [] },
      { sameFile: false, isOrdered: true },
    );
    expect(ordered.columns.map(({ label }) => label)).toEqual(['First name', 'City', '', '', '']);
    const byPosition = withColumns(
      layout,
      { header: ['Vorname', 'City'], columnCount: 2, columnFacts: [] },
      NEW_FILE,
    );
    expect(byPosition.columns.map(({ label }) => label)).toEqual(['Vorname', 'City', '', '', '']);
  });

  it('[EDT45] a column of dates in one order: is declared once; another name has other values', () => {
    const counter = new ColumnCounter();
    counter.see('31.12.2025');
    const rows = { header: ['Born'], columnCount: 1, columnFacts: [counter.facts()] };
    const dated = withColumns(emptyLayout('x'), rows, NEW_FILE);
    expect(dated.columns).toEqual([
      { key: 'column_0', label: 'Born', input: { type: 'date', pattern: 'DD.MM.YYYY' } },
    ]);
    expect(withColumns(dated, rows, NEW_FILE)).toBe(dated);
    const chosen = {
      ...dated,
      columns: [{ key: 'column_0', label: 'Born', input: { type: 'text' as const } }],
    };
    expect(withColumns(chosen, rows, NEW_FILE)).toBe(chosen);
    const other = { header: ['Town'], columnCount: 1, columnFacts: [new ColumnCounter().facts()] };
    expect(withColumns(dated, other, NEW_FILE).columns).toEqual([{ key: 'column_0', label: 'Town' }]);
  });
});
