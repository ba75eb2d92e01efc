import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { isText } from '../kinds/tools.ts';

/**
 * Adds the members that a draft of an older version lacks, with the default of the layout schema, so that the rest of the
 * editor can rely on them. The schema itself is too large to load before the first page is shown.
 */
export function currentLayout(stored: Layout): Layout {
  if (stored.overlays.every((overlay) => !lacksPadding(overlay))) return stored;
  return {
    ...stored,
    overlays: stored.overlays.map((overlay) =>
      lacksPadding(overlay) ? ({ ...overlay, padding: 0 } as Overlay) : overlay,
    ),
  };
}

const lacksPadding = (overlay: Overlay) => isText(overlay) && overlay.padding === undefined;
