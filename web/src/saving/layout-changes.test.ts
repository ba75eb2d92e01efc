import { describe, expect, it } from 'vitest';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { layoutChanges } from './layout-changes.ts';

const text = (id: string, more: object = {}) => ({
  id,
  type: 'text',
  page: 1,
  x: 10,
  y: 20,
  width: 100,
  height: 20,
  value: { column: 'column_0' },
  ...more,
});
const layout = (overlays: object[], more: object = {}) =>
  layoutSchema.parse({
    format: 'rowpress.layout',
    version: 1,
    columns: [
      { key: 'column_0', label: 'Name' },
      { key: 'column_1', label: 'Town' },
    ],
    overlays,
    ...more,
  });
const words = (before: Parameters<typeof layoutChanges>[0], after: Parameters<typeof layoutChanges>[1]) =>
  layoutChanges(before, after).map(({ text: line }) => line);

describe('changes between two layouts', () => {
  it('has nothing to say about equal ones', () => {
    expect(layoutChanges(layout([text('text_1')]), layout([text('text_1')]))).toEqual([]);
  });

  it('tells in words what was added, removed, moved, resized, remapped and changed', () => {
    const before = layout([text('text_1'), text('text_2'), text('text_3')]);
    const after = layout([
      text('text_1', { x: 34, y: 8 }),
      text('text_2', { width: 120, value: { template: '{{column_0}}, {{column_1}}' }, bold: true }),
      { ...text('qr_1'), type: 'qr' },
    ]);
    expect(words(before, after)).toEqual([
      'Text F·1 moved 24 pt right and 12 pt up',
      'Text F·2 resized from 100 × 20 to 120 × 20 pt',
      'Text F·2 shows template {Name}, {Town} instead of column Name',
      'Text F·2 has another bold',
      'QR code QR·1 was added',
      'Text F·3 was removed',
    ]);
  });

  it('tells what form fields take and what the columns are called', () => {
    const mapping = (column: string) => [{ id: 'f', field: 'employee.name', value: { column } }];
    const before = layout([], { form_fields: mapping('column_0') });
    const after = layout([], { form_fields: mapping('column_1'), columns: [{ key: 'column_0', label: '' }] });
    expect(words(before, { ...after, columns: before.columns })).toEqual([
      'Form field employee.name takes column Town instead of column Name',
    ]);
    expect(words(after, { ...after, columns: before.columns })).toEqual([
      'Column 1 is called “Name” instead of nothing',
      'Column 2, Town, was added',
    ]);
    expect(words({ ...after, columns: before.columns }, after)).toEqual([
      'Column 1 is called nothing instead of “Name”',
      'Column 2, Town, was removed',
    ]);
  });

  it('[EDT206] layouts that were sealed for other PDFs: tells the number of their pages', () => {
    const sealed = (sha256: string, page_count: number) => ({
      ...layout([]),
      source: { sha256, page_count, pages: [], form_fields: [], signed: false, xfa: false } as never,
    });
    expect(words(sealed('a', 1), sealed('b', 2))).toEqual([
      'The PDF was replaced: 2 pages instead of 1 page',
    ]);
    expect(words(sealed('a', 1), sealed('a', 1))).toEqual([]);
    expect(words(layout([]), sealed('a', 1))).toEqual([]);
  });

  it('takes everything as added when nothing was saved before', () => {
    expect(words(null, layout([text('text_1')], { columns: [] }))).toEqual(['Text F·1 was added']);
  });
});
