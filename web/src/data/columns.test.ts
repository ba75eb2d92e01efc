import { describe, expect, it } from 'vitest';
import { layoutSchema, type SourceMetadata } from '../../../src/fill/package/layout-schema.ts';
import { emptyLayout } from '../editor/project.ts';
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
    const { layout: matched, matched: count } = matchColumns(layout, source);
    expect(count).toBe(2);
    expect(matched.form_fields).toEqual([
      { id: 'employee.first_name', field: 'employee.first_name', value: { column: 'column_0' } },
      { id: 'TOWN', field: 'TOWN', value: { column: 'column_1' } },
    ]);
    expect(matchColumns(matched, source)).toEqual({ layout: matched, matched: 0 });
  });

  it('takes labels from a header, keeps given ones without it, and changes nothing that is the same', () => {
    const named = withColumns(emptyLayout('x'), { header: [' Name ', ''], columnCount: 2 }, false);
    expect(named.columns).toEqual([
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: '' },
    ]);
    expect(withColumns(named, { header: ['Name', ''], columnCount: 2 }, false)).toBe(named);
    expect(withColumns(named, { header: null, columnCount: 2 }, false)).toBe(named);
    expect(withColumns(named, { header: null, columnCount: 1 }, true).columns).toEqual([
      { key: 'column_0', label: '' },
    ]);
  });
});
