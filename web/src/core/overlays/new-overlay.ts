import type { OverlayType } from '#fill/kinds/overlay-schema.ts';
import type { Layout, Overlay, ValueSource } from '#fill/package/layout-schema.ts';
import { TOOLS } from '../../kinds/tools.ts';
import { quantise } from '../geometry/quantise.ts';
import type { Rect } from '../geometry/rect.ts';
import { newId } from './badges.ts';
import { NO_SAMPLES, newTableColumns, type RowSamples } from './new-table.ts';

/**
 * Creates an overlay with the size and style of the last one of its kind, because the fields of a form are usually
 * similar. Its value is the kind's default, because two fields rarely share a column. A table shows the first columns of the rows.
 */
export function newOverlay(
  layout: Layout,
  kind: OverlayType,
  place: { readonly page: number; readonly x: number; readonly y: number },
  { size, value, samples = NO_SAMPLES }: NewParts = {},
): Overlay {
  const { defaults } = TOOLS[kind].traits;
  const last = layout.overlays.findLast(({ type }) => type === kind);
  const carried = last ?? { ...defaults, id: '' };
  const { id: _id, show_if: _showIf, rotation: _rotation, ...kept } = carried;
  const { comb: _comb, group: _group, on_value: _onValue, ...rest } = kept as typeof kept & Own;
  const { continue_on: _on, continue_y: _y, continue_height: _height, ...look } = rest;
  const source = value ?? ('value' in defaults ? defaults.value : undefined);
  const width = quantise(size?.width ?? look.width);
  return {
    ...look,
    id: newId(layout, kind),
    page: place.page,
    x: quantise(place.x),
    y: quantise(place.y),
    width,
    height: quantise(size?.height ?? look.height),
    rotation: 0,
    ...(source === undefined ? {} : { value: source }),
    ...(kind === 'table' && { columns: newTableColumns(layout, width, samples) }),
  } as Overlay;
}

interface NewParts {
  readonly size?: Pick<Rect, 'width' | 'height'>;
  readonly value?: ValueSource;
  readonly samples?: RowSamples;
}

/** Members that belong to one field and not to the style of its kind. */
interface Own {
  readonly comb?: number;
  readonly group?: string;
  readonly on_value?: string;
  readonly continue_on?: number;
  readonly continue_y?: number;
  readonly continue_height?: number;
}

/** The size of an overlay that is placed with a click. A drag sets its own. */
export function sizeOfNew(layout: Layout, kind: OverlayType): { width: number; height: number } {
  const { width, height } =
    layout.overlays.findLast(({ type }) => type === kind) ?? TOOLS[kind].traits.defaults;
  return { width, height };
}

export function addOverlays(layout: Layout, overlays: readonly Overlay[]): Layout {
  return { ...layout, overlays: [...layout.overlays, ...overlays] };
}
