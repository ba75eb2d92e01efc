import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { badges } from './badges.ts';

/** Applies `update` to every overlay of `ids`. If nothing changes, returns the same objects, including the layout itself. */
export function patchOverlays(
  layout: Layout,
  ids: Iterable<string>,
  update: (overlay: Overlay) => Overlay,
): Layout {
  const wanted = new Set(ids);
  let changed = false;
  const overlays = layout.overlays.map((overlay) => {
    const next = wanted.has(overlay.id) ? update(overlay) : overlay;
    changed ||= next !== overlay;
    return next;
  });
  return changed ? { ...layout, overlays } : layout;
}

/** Sets members of one overlay; returns the same object if they already have these values. */
export function withMembers(overlay: Overlay, members: Partial<Overlay>): Overlay {
  const before = overlay as Readonly<Record<string, unknown>>;
  const differs = Object.entries(members).some(([name, value]) => before[name] !== value);
  return differs ? ({ ...overlay, ...members } as Overlay) : overlay;
}

/** `F·1`, or `3 fields`: names the changed overlays in history entries. */
export function nameFields(layout: Layout, ids: readonly string[]): string {
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) return `${ids.length} fields`;
  return badges(layout).get(only) ?? only;
}

export function removeOverlays(layout: Layout, ids: readonly string[]): Layout {
  const gone = new Set(ids);
  const overlays = layout.overlays.filter(({ id }) => !gone.has(id));
  return overlays.length === layout.overlays.length ? layout : { ...layout, overlays };
}
