import { describe, expect, it } from 'vitest';
import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import { layoutSchema } from '#fill/package/layout-schema.ts';
import { OVERLAY_TYPES } from '../../kinds/tools.ts';
import { emptyLayout } from '../../project/project.ts';
import { matchFormFields, setFieldFont, unmapField } from '../form-fields/map-fields.ts';
import { layoutWarnings } from '../warnings/layout-warnings.ts';
import { badges, newId } from './badges.ts';
import { duplicate, paste } from './copies.ts';
import { ownName } from './field-name.ts';
import { newOverlayInBox } from './fit-into-box.ts';
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

  it('[EDT30] a new text: has a padding of 2 pt, or that of the last text', () => {
    expect(one.overlays[0]).toMatchObject({ padding: 2 });
    const old = patchOverlays(one, ['text_1'], (overlay) => ({ ...overlay, padding: 0 }) as typeof overlay);
    expect(newOverlay(old, 'text', { page: 1, x: 0, y: 0 })).toMatchObject({ padding: 0 });
    expect(newOverlay(old, 'date', { page: 1, x: 0, y: 0 })).toMatchObject({ padding: 2 });
  });

  it('[EDT31] a new text: breaks lines before it shrinks; a new date stays on one line', () => {
    expect(one.overlays[0]).toMatchObject({ wrap: true, fit: 'shrink' });
    expect(newOverlay(one, 'date', { page: 1, x: 0, y: 0 })).toMatchObject({ wrap: false, fit: 'shrink' });
  });

  it('[EDT32] a text after a comb: is not a comb', () => {
    const comb = patchOverlays(one, ['text_1'], (overlay) => ({ ...overlay, comb: 8 }) as typeof overlay);
    expect(newOverlay(comb, 'text', { page: 1, x: 0, y: 0 })).not.toHaveProperty('comb');
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

it('[EDT108] the name of a field: a chosen id, else its column, template or text', () => {
  const nameOf = (change: object) => {
    const layout = patchOverlays(withLabel, ['text_1'], (overlay) => ({ ...overlay, ...change }));
    const [overlay] = layout.overlays;
    return overlay === undefined ? '' : ownName(layout, overlay);
  };
  expect(nameOf({ value: { column: 'column_0' } })).toBe('Name');
  expect(nameOf({ value: { column: 'column_4' } })).toBe('Column 5');
  expect(nameOf({ value: { template: 'Dear {{column_0}}' } })).toBe('Dear {Name}');
  expect(nameOf({ value: { static: 'Copy' } })).toBe('Copy');
  expect(nameOf({ value: { static: ' ' } })).toBe('Text');
  expect(nameOf({ id: 'surname', value: { column: 'column_0' } })).toBe('surname');
});

describe('a new text in a printed box', () => {
  const inBox = (height: number, layout = empty) =>
    newOverlayInBox(layout, 'text', 1, { x: 10, y: 20, width: 200, height });

  it('[EDT103] a box of one line: the box, a padding of 2 pt, and a size that fits', () => {
    expect(inBox(20)).toMatchObject({ x: 10, y: 20, width: 200, height: 20, padding: 2, size: 12 });
    expect(inBox(20)).toMatchObject({ valign: 'middle' });
    expect(inBox(14)).toMatchObject({ size: 8, padding: 2 });
    expect(inBox(8)).toMatchObject({ size: 6, padding: 0.5 });
  });

  it('[EDT103] a box of several lines: the text starts at the top and breaks its lines', () => {
    expect(inBox(60)).toMatchObject({ size: 12, wrap: true, valign: 'top' });
  });

  it('[EDT103] after a low box: the usual size again', () => {
    const low = addOverlays(empty, [inBox(14)]);
    expect(inBox(20, low)).toMatchObject({ size: 12 });
    const ten = addOverlays(empty, [{ ...inBox(30), size: 10 } as ReturnType<typeof inBox>]);
    expect(inBox(20, addOverlays(ten, [inBox(14)]))).toMatchObject({ size: 10 });
  });
});
