import type { Layout, Overlay } from '#fill/package/layout-schema.ts';
import { viewOf } from '../../kinds/views.tsx';
import { shownOverlay } from './shown-value.ts';

interface Props {
  readonly layout: Layout;
  readonly overlay: Overlay;
  readonly cells: readonly string[];
  readonly assets: ReadonlyMap<string, Uint8Array>;
}

/** The content of an overlay's box for the preview row. */
export function OverlayContent({ layout, overlay, cells, assets }: Props) {
  const { Content } = viewOf(overlay);
  return (
    <Content
      overlay={overlay}
      shown={shownOverlay(layout, overlay, cells)}
      layout={layout}
      cells={cells}
      assets={assets}
    />
  );
}
