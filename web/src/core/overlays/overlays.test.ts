import { describe, expect, it } from 'vitest';
import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { OVERLAY_TYPES } from '../../kinds/tools.ts';
import { emptyLayout } from '../../project/project.ts';
import { matchFormFields, setFieldFont, unmapField } from '../form-fields/map-fields.ts';
import { layoutWarnings } from '../warnings/layout-warnings.ts';
import { badges, newId } from './badges.ts';
import { duplicate, paste } from './copies.ts';
import { hit, touchedBy } from './hit-test.ts';
import { addOverlays, newOverlay } from './new-overlay.ts';
import { patchOverlays, removeOverlays, withMembers } from './patch-overlays.ts';
import { readingOrder } from './reading-order.ts';
import { columnName, columnsIn, overlayWords, sourceWords } from './value-words.ts';

const PAGE = { width: 600, height: 800 };
const empty = emptyLayout('test');
const one = addOverlays(empty, [newOverlay(empty, 'text', { page: 1, x: 72, y: 100 })]);
const withLabel = { ...one, columns: [{ key: 'column_0', label: 'Name' }] };

describe('new overlays', () => {
  it.each(OVERLAY_TYPES)('of kind %s are complete by the layout schema', (kind) => {
    const layout = addOverlays(empty, [newOverlay(empty, kind, { page: 1, x: 1.00004, y: 2 })]);
    const parsed = layoutSchema.safeParse(layout);
    expect(parsed.success).toBe(true);
    expect(parsed.data).toEqual(layout); // no default was missing
    expect(layout.overlays[0]).toMatchObject({ id: `${kind}_1`, x: 1, y: 2 });
  });

  it('carry over the look of the last one of their kind, but not its value', () => {
    const styled = patchOverlays(
      one,
      ['text_1'],
      (overlay) =>
        ({
          ...withMembers(overlay, { width: 99, rotation: 30, value: { column: 'column_3' } }),
          size: 20,
          color: '#123456',
        }) as typeof overlay,
    );
    expect(newOverlay(styled, 'text', { page: 2, x: 0, y: 0 })).toMatchObject({
      id: 'text_2',
      size: 20,
      color: '#123456',
      width: 99,
      rotation: 0,
      value: { static: 'Text' },
    });
  });

  it('get ids and badges by kind in order of creation; a deleted one’s number is not another’s', () => {
    const two = addOverlays(one, [newOverlay(one, 'text', { page: 1, x: 0, y: 0 })]);
    expect(newId(two, 'text')).toBe('text_3');
    expect(newId(removeOverlays(two, ['text_1']), 'text')).toBe('text_3');
    const named = patchOverlays(two, ['text_1'], (overlay) => ({ ...overlay, id: 'name' }));
    expect([...badges(named)]).toEqual([
      ['text_2', 'F·2'],
      ['name', 'F·1'],
    ]);
    expect(badges(addOverlays(two, [newOverlay(two, 'qr', { page: 1, x: 0, y: 0 })])).get('qr_1')).toBe(
      'QR·1',
    );
  });
});

describe('copies', () => {
  it('stand aside on their own page and in the same place on another', () => {
    expect(duplicate(one, one.overlays).layout.overlays[1]).toMatchObject({
      id: 'text_2',
      x: 82,
      y: 110,
      page: 1,
    });
    expect(paste(one, one.overlays, 2, PAGE, 1).layout.overlays[1]).toMatchObject({ x: 72, y: 100, page: 2 });
    expect(paste(one, one.overlays, 1, PAGE, 3).layout.overlays[1]).toMatchObject({
      x: 102,
      y: 130,
      page: 1,
    });
  });

  it('are brought back onto a smaller page', () => {
    const small = { width: 200, height: 50 };
    expect(paste(one, one.overlays, 2, small, 1).layout.overlays[1]).toMatchObject({ x: 20, y: 26 });
  });
});

it('what is unchanged stays the same object', () => {
  expect(patchOverlays(one, ['text_1'], (overlay) => withMembers(overlay, { x: 72 }))).toBe(one);
  expect(removeOverlays(one, ['nothing'])).toBe(one);
});

it('a click finds the topmost, a marquee what it touches, turned boxes by their real outline', () => {
  const two = addOverlays(one, [{ ...newOverlay(one, 'text', { page: 1, x: 72, y: 100 }), rotation: 45 }]);
  expect(hit(two.overlays, { x: 162, y: 112 })?.id).toBe('text_2');
  expect(hit(two.overlays, { x: 75, y: 102 })?.id).toBe('text_1');
  expect(touchedBy(two.overlays, { x: 230, y: 60, width: 10, height: 10 }).map(({ id }) => id)).toEqual([]);
  expect(touchedBy(two.overlays, { x: 200, y: 140, width: 40, height: 40 }).map(({ id }) => id)).toEqual([
    'text_2',
  ]);
});

it('reading order goes line by line', () => {
  const at = (id: string, x: number, y: number) => ({ ...newOverlay(empty, 'text', { page: 1, x, y }), id });
  const order = readingOrder([at('d', 10, 60), at('b', 300, 12), at('a', 10, 18), at('c', 10, 40)]);
  expect(order.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

it('words name the kind, the source and the place', () => {
  const mapped = patchOverlays(withLabel, ['text_1'], (o) =>
    withMembers(o, { value: { column: 'column_0' } }),
  );
  const [overlay] = mapped.overlays;
  if (overlay === undefined) throw new Error('no overlay');
  expect(overlayWords(mapped, overlay, false)).toBe('Text F·1, column Name, x 72 y 100');
  expect(overlayWords(mapped, overlay, true)).toMatch(/, locked$/);
  expect(columnName(mapped, 'column_4')).toBe('Column 5');
  expect(sourceWords(mapped, { template: 'Dear {{column_0}}!' })).toBe('template Dear {Name}!');
  expect(columnsIn({ template: '{{column_0}} {{ column_2 }}' })).toEqual(['column_0', 'column_2']);
});

describe('warnings', () => {
  const place = (layout: typeof one, kind: OverlayType, x: number, y: number) =>
    addOverlays(layout, [newOverlay(layout, kind, { page: 1, x, y })]);

  it('tell overlaps, what leaves the page, and what endangers a code', () => {
    expect(layoutWarnings(place(one, 'text', 100, 110), [PAGE]).map(({ kind }) => kind)).toEqual(['overlap']);
    expect(layoutWarnings(place(one, 'text', 72, 124), [PAGE])).toEqual([]);
    expect(layoutWarnings(place(one, 'text', 500, 300), [PAGE])[0]).toMatchObject({
      kind: 'off-page',
      ids: ['text_2'],
    });
    const onCode = place(place(empty, 'qr', 100, 100), 'text', 150, 180);
    expect(layoutWarnings(onCode, [PAGE])[0]).toMatchObject({ kind: 'quiet-zone', ids: ['text_1', 'qr_1'] });
    expect(layoutWarnings(place(one, 'sticker', 72, 100), [PAGE])).toEqual([]);
    expect(layoutWarnings(one, [])[0]).toMatchObject({ kind: 'page-missing' });
  });
});

it('form fields take the column of their name', () => {
  const layout = {
    ...withLabel,
    columns: [
      { key: 'column_0', label: 'First Name' },
      { key: 'column_1', label: 'text 1' },
    ],
  };
  const mapped = matchFormFields(layout, [
    { name: 'employee.first_name' },
    { name: 'other' },
    { name: 'text_1' },
  ]);
  expect(mapped.form_fields).toEqual([
    { id: 'employee.first_name', field: 'employee.first_name', value: { column: 'column_0' } },
    { id: 'text_1_2', field: 'text_1', value: { column: 'column_1' } },
  ]);
  expect(layoutSchema.safeParse(mapped).success).toBe(true);
  const set = setFieldFont(mapped, 'text_1', 'serif');
  expect(set.form_fields.map(({ font }) => font)).toEqual([undefined, 'serif']);
  expect(layoutSchema.safeParse(set).success).toBe(true);
  expect(setFieldFont(set, 'text_1', undefined)).toEqual(mapped);
  expect(unmapField(mapped, 'text_1').form_fields).toHaveLength(1);
  expect(matchFormFields(mapped, [{ name: 'text_1' }])).toBe(mapped);
});
