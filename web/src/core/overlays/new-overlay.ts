import type { Layout, Overlay, ValueSource } from '#fill/package/layout-schema.ts';
import { quantise } from '../geometry/quantise.ts';
import type { Rect } from '../geometry/rect.ts';
import { newId, type OverlayKind } from './overlay-kinds.ts';

/**
 * A new overlay has the size and the look of the last one of its kind, because fields of a form come in families. Its
 * value is its own: two fields with the same column are rarely meant.
 */
const TYPESET = {
  font: 'sans',
  bold: false,
  italic: false,
  size: 12,
  min_size: 4,
  color: '#000000',
  align: 'left',
  valign: 'middle',
  line_height: 1.2,
  wrap: false,
  fit: 'shrink',
} as const;
const PICTURE = { fit: 'contain', align: 'center', valign: 'middle' } as const;

type Unplaced<Kind> = Kind extends Overlay ? Omit<Kind, 'id' | 'page' | 'x' | 'y'> : never;
const FIRST: { readonly [Kind in OverlayKind]: Unplaced<Extract<Overlay, { type: Kind }>> } = {
  text: {
    type: 'text',
    width: 180,
    height: 24,
    rotation: 0,
    opacity: 1,
    value: { static: 'Text' },
    ...TYPESET,
  },
  date: {
    type: 'date',
    width: 120,
    height: 24,
    rotation: 0,
    opacity: 1,
    value: { static: '2026-01-31' },
    format: { date: 'D MMMM YYYY' },
    ...TYPESET,
  },
  qr: {
    type: 'qr',
    width: 90,
    height: 90,
    rotation: 0,
    opacity: 1,
    value: { static: 'https://example.org' },
    ecc: 'M',
    color: '#000000',
  },
  barcode: {
    type: 'barcode',
    symbology: 'code128',
    width: 180,
    height: 48,
    rotation: 0,
    opacity: 1,
    value: { static: 'LOT-0001' },
    color: '#000000',
  },
  image: {
    type: 'image',
    width: 120,
    height: 90,
    rotation: 0,
    opacity: 1,
    value: { static: '' },
    ...PICTURE,
  },
  signature: {
    type: 'signature',
    width: 160,
    height: 48,
    rotation: 0,
    opacity: 1,
    value: { static: 'Signature' },
    ...PICTURE,
  },
  check: {
    type: 'check',
    width: 16,
    height: 16,
    rotation: 0,
    opacity: 1,
    value: { static: 'yes' },
    mark: 'check',
    color: '#000000',
  },
  sticker: {
    type: 'sticker',
    width: 110,
    height: 26,
    rotation: 0,
    opacity: 1,
    label: 'Sign here',
    color: '#ffd54a',
    ...PICTURE,
  },
};

export function newOverlay(
  layout: Layout,
  kind: OverlayKind,
  place: { readonly page: number; readonly x: number; readonly y: number },
  { size, value }: { size?: Pick<Rect, 'width' | 'height'>; value?: ValueSource } = {},
): Overlay {
  const last = layout.overlays.findLast(({ type }) => type === kind);
  const { id: _id, show_if: _showIf, rotation: _rotation, ...look } = last ?? { ...FIRST[kind], id: '' };
  const source = value ?? ('value' in FIRST[kind] ? FIRST[kind].value : undefined);
  return {
    ...look,
    id: newId(layout, kind),
    page: place.page,
    x: quantise(place.x),
    y: quantise(place.y),
    width: quantise(size?.width ?? look.width),
    height: quantise(size?.height ?? look.height),
    rotation: 0,
    ...(source === undefined ? {} : { value: source }),
  } as Overlay;
}

/** The size a click gives; a drag gives its own. */
export function sizeOfNew(layout: Layout, kind: OverlayKind): { width: number; height: number } {
  const { width, height } = layout.overlays.findLast(({ type }) => type === kind) ?? FIRST[kind];
  return { width, height };
}

export function addOverlays(layout: Layout, overlays: readonly Overlay[]): Layout {
  return { ...layout, overlays: [...layout.overlays, ...overlays] };
}
