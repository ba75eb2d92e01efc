import type { FillOptions } from '../fill-options.ts';
import type { OverlayKind } from './overlay-kind.ts';
import type { Overlay, OverlayType, OverlayWith } from './overlay-schema.ts';
import { KINDS } from './registry.ts';

const BY_TYPE: ReadonlyMap<string, OverlayKind> = new Map(KINDS.map((kind) => [kind.type, kind]));

export function kindOf({ type }: { readonly type: OverlayType }): OverlayKind {
  const kind = BY_TYPE.get(type);
  if (kind === undefined) throw new Error(`bug: the overlay kind ${type} is not registered`);
  return kind;
}

/** Stickers are drawn only in runs that include them. An overlay that is not drawn counts nowhere. */
export function isDrawn(overlay: Overlay, options: Pick<FillOptions, 'includeStickers'>): boolean {
  return options.includeStickers || kindOf(overlay).traits.isSticker !== true;
}

export const isTable = (overlay: Overlay): overlay is OverlayWith<'isTable'> =>
  kindOf(overlay).traits.isTable === true;

/** The pages that tables repeat for rows that do not fit. */
export function continuedPages(overlays: readonly Overlay[]): ReadonlySet<number> {
  return new Set(overlays.flatMap((overlay) => (isTable(overlay) ? (overlay.continue_on ?? []) : [])));
}

export const isPicture = (overlay: Overlay): overlay is OverlayWith<'isPicture'> =>
  kindOf(overlay).traits.isPicture === true;
