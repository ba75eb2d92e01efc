import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { patchOverlays, withMembers } from '../overlays/patch-overlays.ts';

/** Gives all overlays the width, height or size of the one that was selected first. */
export function sameSize(
  layout: Layout,
  overlays: readonly Overlay[],
  what: 'width' | 'height' | 'both',
): Layout {
  const [model] = overlays;
  if (model === undefined) return layout;
  const { width, height } = model;
  const members = what === 'both' ? { width, height } : what === 'width' ? { width } : { height };
  return patchOverlays(
    layout,
    overlays.map(({ id }) => id),
    (overlay) => withMembers(overlay, members),
  );
}
